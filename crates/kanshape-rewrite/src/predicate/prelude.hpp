#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What is not there is no value, and no comparison with it holds.
namespace kan {
using Size = std::optional<std::int64_t>;
using Shape = std::optional<std::vector<std::int64_t>>;

template <class T> bool is_there(const std::optional<T>& x) { return x.has_value(); }

inline Shape shape(const std::vector<Size>& sizes) {
    std::vector<std::int64_t> all;
    for (const Size& size : sizes) {
        if (!size) return std::nullopt;
        all.push_back(*size);
    }
    return all;
}

inline Size rank(const Shape& shape) {
    if (!shape) return std::nullopt;
    return static_cast<std::int64_t>(shape->size());
}

inline Size at(const Shape& shape, std::int64_t i) {
    if (!shape) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(shape->size());
    if (i < 0) i += rank;
    if (i < 0 || i >= rank) return std::nullopt;
    return (*shape)[static_cast<std::size_t>(i)];
}

inline Shape part(const Shape& shape, std::size_t before, std::size_t behind) {
    if (!shape || shape->size() < before + behind) return std::nullopt;
    return std::vector<std::int64_t>(shape->begin() + before, shape->end() - behind);
}

inline Size prod(const Shape& shape) {
    if (!shape) return std::nullopt;
    std::int64_t product = 1;
    for (std::int64_t size : *shape) product *= size;
    return product;
}

inline Size sum(const std::vector<Size>& sizes) {
    std::int64_t sum = 0;
    for (const Size& size : sizes) {
        if (!size) return std::nullopt;
        sum += *size;
    }
    return sum;
}

inline Size minus(const Size& size) {
    if (!size) return std::nullopt;
    return -*size;
}

inline Shape broadcast(const Shape& a, const Shape& b) {
    if (!a || !b) return std::nullopt;
    const std::size_t rank = std::max(a->size(), b->size());
    std::vector<std::int64_t> all(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const auto of = [&](const std::vector<std::int64_t>& s) {
            return i + s.size() < rank ? std::int64_t{1} : s[i + s.size() - rank];
        };
        const std::int64_t x = of(*a), y = of(*b);
        if (x != y && x != 1 && y != 1) return std::nullopt;
        all[i] = x == 1 ? y : x;
    }
    return all;
}

inline bool eq(const std::string& a, const std::string& b) { return a == b; }
inline bool ne(const std::string& a, const std::string& b) { return a != b; }
template <class T> bool eq(const std::optional<T>& a, const std::optional<T>& b) { return a && b && *a == *b; }
template <class T> bool ne(const std::optional<T>& a, const std::optional<T>& b) { return a && b && *a != *b; }
inline bool lt(const Size& a, const Size& b) { return a && b && *a < *b; }
inline bool le(const Size& a, const Size& b) { return a && b && *a <= *b; }
inline bool gt(const Size& a, const Size& b) { return lt(b, a); }
inline bool ge(const Size& a, const Size& b) { return le(b, a); }
}  // namespace kan
