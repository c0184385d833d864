// The page of a recording holds what the recording does: read back from its data.
#include "viewer/exporting/html_page.h"

#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/input_error.h"
#include "tests/unit/viewer_exporting/exported_ball.h"
#include "viewer/exporting/number_text.h"

namespace drystone::viewer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Decoded by hand, not by what is tested.
std::string bytesOf(const nlohmann::json& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text.get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

template <class T>
std::vector<T> listOf(const nlohmann::json& text) {
  const std::string bytes = bytesOf(text);
  EXPECT_EQ(bytes.size() % sizeof(T), 0u);
  std::vector<T> list(bytes.size() / sizeof(T));
  std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

TEST(Base64, IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

using HtmlPage = ExportedBall;

TEST_F(HtmlPage, ChosenFrames_AreNotMoreThanWanted) {
  EXPECT_EQ(frames().size(), 41u);
  const auto half = frames({.perSecond = 30});
  EXPECT_EQ(half.size(), 21u);
  EXPECT_EQ(half[1], 2);
  // 0.1 s are six steps; the end is there though it is not due.
  EXPECT_THAT(frames({.from = 0.1, .to = 0.3, .perSecond = 6}), ElementsAre(6, 16, 18));
  EXPECT_THROW(frames({.from = 5}), InputError);
}

TEST_F(HtmlPage, Poses_AreThoseOfTheRecording) {
  const auto chosen = frames({.perSecond = 30});
  const auto data = nlohmann::json::parse(pageData(*run_, chosen));
  ASSERT_EQ(data["bodies"].size(), 3u);
  EXPECT_EQ(data["bodies"][0]["moves"], false);
  const auto& ball = data["bodies"][2];
  EXPECT_EQ(ball["name"], "ball");
  ASSERT_EQ(ball["moves"], true);
  const int tracks = data["bodies"][1]["moves"] ? 2 : 1;
  const auto times = listOf<float>(data["times"]);
  const auto positions = listOf<std::uint16_t>(data["tracks"]["positions"]);
  const auto rotations = listOf<std::int16_t>(data["tracks"]["rotations"]);
  ASSERT_EQ(times.size(), chosen.size());
  ASSERT_EQ(positions.size(), 3 * tracks * chosen.size());
  ASSERT_EQ(rotations.size(), 4 * tracks * chosen.size());
  WorldSnapshot frame;
  Real fall = 0;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    recording_->frame(chosen[f], frame);
    EXPECT_NEAR(times[f], frame.time, 1e-6);
    const std::size_t at = (f + 1) * tracks - 1;  // the ball is the last one
    const Real height =
        ball["lower"][2].get<Real>() + ball["span"][2].get<Real>() * positions[3 * at + 2] / 65535;
    // The step of the grid is the way of the ball, less than 1 m, in 65535 parts.
    EXPECT_NEAR(height, frame.bodies[2].pose.position.z(), 1e-5);
    EXPECT_NEAR(rotations[4 * at] / 32767.0, frame.bodies[2].pose.rotation.w(), 3e-5);
    fall = std::max(fall, 1 - height);
  }
  EXPECT_GT(fall, 0.5) << "the ball fell, so that heights tell something";
}

TEST_F(HtmlPage, Contacts_AreThoseOfTheirFrame) {
  const auto chosen = frames();
  const auto data = nlohmann::json::parse(pageData(*run_, chosen));
  const auto& contacts = data["contacts"];
  const auto starts = listOf<std::uint32_t>(contacts["starts"]);
  const auto impulses = listOf<float>(contacts["impulses"]);
  const auto positions = listOf<std::uint16_t>(contacts["positions"]);
  const auto frictions = listOf<float>(contacts["frictions"]);
  const auto bodies = listOf<std::int32_t>(contacts["bodies"]);
  ASSERT_EQ(starts.size(), chosen.size() + 1);
  WorldSnapshot frame;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    recording_->frame(chosen[f], frame);
    ASSERT_EQ(starts[f + 1] - starts[f], frame.contacts.size()) << f;
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
      const std::size_t at = starts[f] + i;
      const ContactSnapshot& contact = frame.contacts[i];
      EXPECT_FLOAT_EQ(impulses[3 * at + 2], static_cast<float>(contact.impulse.z()));
      EXPECT_NEAR(contacts["lower"][0].get<Real>() +
                      contacts["span"][0].get<Real>() * positions[3 * at] / 65535,
                  contact.position.x(), 1e-4);
      EXPECT_FLOAT_EQ(frictions[2 * at], static_cast<float>(contact.friction));
      EXPECT_EQ(bodies[2 * at], contact.bodyA.index);
    }
  }
  EXPECT_EQ(starts.back(), listOf<std::uint8_t>(contacts["states"]).size());
  EXPECT_GT(starts.back(), 100u) << "four of the box in each step";
  EXPECT_GT(contacts["lengthPerImpulse"], 0);
  EXPECT_THAT(contacts["up"], ElementsAre(0, 0, 1)) << "which body of a contact is the upper one";
}

TEST_F(HtmlPage, Plot_HasTheFiguresOfTheSteps) {
  const auto data = nlohmann::json::parse(pageData(*run_, frames({.from = 0.1})));
  const auto times = listOf<float>(data["plot"]["times"]);
  const auto kinetic = listOf<float>(data["plot"]["kinetic"]);
  const auto residuals = listOf<float>(data["plot"]["residuals"]);
  ASSERT_EQ(times.size(), 34u) << "steps 7 to 40";
  const RecordedStep last = recording_->steps(kSteps, 1).front();
  EXPECT_FLOAT_EQ(times.back(), static_cast<float>(last.report.time));
  EXPECT_FLOAT_EQ(kinetic.back(), static_cast<float>(last.report.energy.kinetic));
  EXPECT_FLOAT_EQ(residuals.back(), static_cast<float>(last.report.naturalMap));
}

TEST_F(HtmlPage, Parts_AreCopiesOfMeshesThatAreThere) {
  const auto data = nlohmann::json::parse(pageData(*run_, frames()));
  ASSERT_EQ(data["parts"].size(), 2u) << "the floor is the ground";
  EXPECT_EQ(data["parts"][0]["body"], 1);
  EXPECT_EQ(data["parts"][1]["body"], 2);
  EXPECT_FLOAT_EQ(data["parts"][1]["rows"][5], 0.25f) << "the unit sphere at the ball's radius";
  EXPECT_EQ(data["layout"]["ground"]["visible"], true);
  for (const auto& part : data["parts"]) {
    const auto& mesh = data["meshes"][part["mesh"].get<std::size_t>()];
    const std::size_t points = listOf<float>(mesh["positions"]).size() / 3;
    EXPECT_EQ(listOf<std::int8_t>(mesh["normals"]).size(), 3 * points);
    for (const std::uint32_t index : listOf<std::uint32_t>(mesh["indices"])) {
      ASSERT_LT(index, points);
    }
  }
}

TEST_F(HtmlPage, Page_LoadsNothingElse) {
  const std::string page = htmlPage(*run_, frames());
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("<title>ball – drystone</title>"));
}

class HostileName : public ExportedBall {
 protected:
  HostileName() : ExportedBall("</script><b>{{data}}") {}
};

TEST_F(HostileName, OfAScene_StaysText) {
  const std::string page = htmlPage(*run_, frames());
  EXPECT_THAT(page, Not(HasSubstr("<b>{{")));
  const std::string opening = "id=\"data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  const auto data =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["name"], "</script><b>{{data}}");
}

}  // namespace
}  // namespace drystone::viewer
