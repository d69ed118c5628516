// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/shape.hpp"

namespace scree::shape {

std::string nameProblem(std::string_view name) {
  if (name.empty()) return "a shape's name must not be empty";
  for (const char c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f')
      return "a shape's name has no blank and no control character";
  if (name[0] == '#' || name[0] == '/' || name[0] == '!')
    return "a shape's name must not begin with '#', '/' or '!': readers treat that as a comment";
  if (name == "<" || name == ">") return "a shape's name must not be '<' or '>'";
  return {};
}

const Shape* findShape(const std::vector<Shape>& shapes, std::string_view name) {
  for (const Shape& shape : shapes)
    if (shape.name == name) return &shape;
  return nullptr;
}

}  // namespace scree::shape
