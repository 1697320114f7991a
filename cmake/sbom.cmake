# The bill of materials of the wheel, in its .dist-info/sboms, with the versions that this build compiles in.
find_path(robin_map_INCLUDE tsl/robin_growth_policy.h PATHS "${NB_DIR}/ext/robin_map/include" NO_CACHE REQUIRED)
file(STRINGS "${robin_map_INCLUDE}/tsl/robin_growth_policy.h" numbers REGEX "#define TSL_RH_VERSION_")
string(REGEX MATCHALL "[0-9]+" numbers "${numbers}")
list(JOIN numbers "." robin_map_VERSION)
set(robin_map_TAG "v${robin_map_VERSION}")
configure_file(cmake/sbom.cdx.json.in foliation.cdx.json @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/foliation.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
