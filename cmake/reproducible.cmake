# Two builds give the same bytes wherever they run: no path of this machine gets into the objects.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-ffile-prefix-map=/a=b" FOLIATION_KNOWS_FILE_PREFIX_MAP)
if(FOLIATION_KNOWS_FILE_PREFIX_MAP)
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build")
endif()
