// What all channels have in common does not matter to views relative to their mean.
#include "core/views/relative.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::size_t kChannels = 4, kSide = 9;
constexpr SeriesGrid kGrid{kChannels, kSide, false, kChannels};

// The view of every channel; `common` is added to all of them.
template <class View>
std::vector<std::vector<double>> views(const std::vector<double>& common) {
    std::vector<double> x = whole_numbers<double>(1, kChannels * kSide, -50, 50);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += common[k % kSide];
    const auto channel = [&](std::size_t c) { return std::span(x).subspan(c * kSide, kSide); };
    std::vector<double> mean(kSide, 0.0), memory;
    for (std::size_t k = 0; k < x.size(); ++k)
        mean[k % kSide] += (x[k] - x[k % kSide]) / static_cast<double>(kChannels);
    std::vector<std::vector<double>> all;
    for (std::size_t c = 0; c < kChannels; ++c) {
        all.emplace_back(static_cast<std::size_t>(View::length(kGrid)));
        View(kGrid).fill({channel(c), {}, channel(0), mean}, memory, all.back().data());
    }
    return all;
}

}  // namespace

int main() {
    const std::vector<double> none(kSide, 0.0), some = whole_numbers<double>(2, kSide, -1000, 1000);
    const auto relative = views<Relative>(none);
    CHECK(relative == views<Relative>(some));
    CHECK(views<RelativeSpectrum>(none) == views<RelativeSpectrum>(some));
    for (std::size_t t = 0; t < kSide; ++t) {
        double sum = 0.0;
        for (const auto& channel : relative) sum += channel[t];
        CHECK(sum == 0.0);
    }
    std::vector<double> memory, spectrum(kSide / 2);
    Spectrum(kGrid).fill({relative[2], {}, {}, {}}, memory, spectrum.data());
    CHECK(views<RelativeSpectrum>(none)[2] == spectrum);
    CHECK(Relative::length({1, kSide}) == 0 && RelativeSpectrum::length({1, kSide}) == 0);  // one channel
}
