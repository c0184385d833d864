#include "viewer/render/embedded.h"

#include <stdexcept>
#include <string>
#include <utility>

// The assembler copies the file as it is, which is faster by far than compiling an array of it. The
// paths come from the build.
#define DRYSTONE_EMBED(name, path)                                                            \
  asm(".pushsection .rodata\n.balign 16\n.global embedded_" #name "\n.global embedded_" #name \
      "_end\nembedded_" #name ":\n.incbin \"" path "\"\nembedded_" #name                      \
      "_end:\n.byte 0\n.popsection\n");                                                       \
  extern "C" const char embedded_##name[];                                                    \
  extern "C" const char embedded_##name##_end[]

#define DRYSTONE_EMBED_SHADER(name, file) DRYSTONE_EMBED(name, DRYSTONE_SHADER_DIR "/" file)

DRYSTONE_EMBED_SHADER(color, "color.glsl");
DRYSTONE_EMBED_SHADER(light, "light.glsl");
DRYSTONE_EMBED_SHADER(shadow, "shadow.glsl");
DRYSTONE_EMBED_SHADER(soft_shadow, "soft_shadow.glsl");
DRYSTONE_EMBED_SHADER(hard_shadow, "hard_shadow.glsl");
DRYSTONE_EMBED_SHADER(no_shadow, "no_shadow.glsl");
DRYSTONE_EMBED_SHADER(sky, "sky.glsl");
DRYSTONE_EMBED_SHADER(instance, "instance.glsl");
DRYSTONE_EMBED_SHADER(mesh_vert, "mesh.vert");
DRYSTONE_EMBED_SHADER(mesh_frag, "mesh.frag");
DRYSTONE_EMBED_SHADER(shadow_vert, "shadow.vert");
DRYSTONE_EMBED_SHADER(shadow_frag, "shadow.frag");
DRYSTONE_EMBED_SHADER(background_vert, "background.vert");
DRYSTONE_EMBED_SHADER(background_frag, "background.frag");
DRYSTONE_EMBED_SHADER(ground_vert, "ground.vert");
DRYSTONE_EMBED_SHADER(ground_frag, "ground.frag");
DRYSTONE_EMBED_SHADER(line_vert, "line.vert");
DRYSTONE_EMBED_SHADER(line_frag, "line.frag");
DRYSTONE_EMBED_SHADER(text_vert, "text.vert");
DRYSTONE_EMBED_SHADER(text_frag, "text.frag");
DRYSTONE_EMBED_SHADER(flat_vert, "flat.vert");
DRYSTONE_EMBED_SHADER(flat_frag, "flat.frag");
DRYSTONE_EMBED(font, DRYSTONE_FONT_FILE);

namespace drystone::viewer {

#define DRYSTONE_EMBEDDED(name) std::string_view(embedded_##name, embedded_##name##_end)

std::string_view shaderSource(std::string_view name) {
  const std::pair<std::string_view, std::string_view> files[] = {
      {"color.glsl", DRYSTONE_EMBEDDED(color)},
      {"light.glsl", DRYSTONE_EMBEDDED(light)},
      {"shadow.glsl", DRYSTONE_EMBEDDED(shadow)},
      {"soft_shadow.glsl", DRYSTONE_EMBEDDED(soft_shadow)},
      {"hard_shadow.glsl", DRYSTONE_EMBEDDED(hard_shadow)},
      {"no_shadow.glsl", DRYSTONE_EMBEDDED(no_shadow)},
      {"sky.glsl", DRYSTONE_EMBEDDED(sky)},
      {"instance.glsl", DRYSTONE_EMBEDDED(instance)},
      {"mesh.vert", DRYSTONE_EMBEDDED(mesh_vert)},
      {"mesh.frag", DRYSTONE_EMBEDDED(mesh_frag)},
      {"shadow.vert", DRYSTONE_EMBEDDED(shadow_vert)},
      {"shadow.frag", DRYSTONE_EMBEDDED(shadow_frag)},
      {"background.vert", DRYSTONE_EMBEDDED(background_vert)},
      {"background.frag", DRYSTONE_EMBEDDED(background_frag)},
      {"ground.vert", DRYSTONE_EMBEDDED(ground_vert)},
      {"ground.frag", DRYSTONE_EMBEDDED(ground_frag)},
      {"line.vert", DRYSTONE_EMBEDDED(line_vert)},
      {"line.frag", DRYSTONE_EMBEDDED(line_frag)},
      {"text.vert", DRYSTONE_EMBEDDED(text_vert)},
      {"text.frag", DRYSTONE_EMBEDDED(text_frag)},
      {"flat.vert", DRYSTONE_EMBEDDED(flat_vert)},
      {"flat.frag", DRYSTONE_EMBEDDED(flat_frag)},
  };
  for (const auto& [known, text] : files) {
    if (known == name) return text;
  }
  throw std::logic_error("no shader " + std::string(name));
}

std::string_view fontFile() { return DRYSTONE_EMBEDDED(font); }

}  // namespace drystone::viewer
