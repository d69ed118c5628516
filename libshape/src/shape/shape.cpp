// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/shape.hpp"

namespace scree::shape {

const Shape* findShape(const std::vector<Shape>& shapes, std::string_view name) {
  for (const Shape& shape : shapes)
    if (shape.name == name) return &shape;
  return nullptr;
}

}  // namespace scree::shape
