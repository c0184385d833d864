// Columns of recordings: each figure has one, and files of older programs lack some.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/recording/recording_format.h"
#include "engine/recording/recording_hdf5.h"
#include "engine/recording/recording_table.h"

namespace drystone::test {
namespace {

TEST(StepColumns, EveryFigure_HasAColumnWithItsUnit) {
  for (const StepFigure& figure : kStepFigures) {
    const auto& columns = detail::stepColumns();
    const auto found = std::ranges::find(columns, std::string(figure.name),
                                         [](const auto& column) { return column.name; });
    ASSERT_NE(found, columns.end()) << figure.name;
    EXPECT_STREQ(found->unit, figure.unit) << figure.name;
  }
}

/// What a file reads as that a program wrote before a column came.
template <class Row>
Row readWithout(const std::string& name, const std::vector<detail::Column<Row>>& columns,
                const Row& row) {
  const std::string path = testing::TempDir() + "/lacks.h5";
  std::vector<detail::Column<Row>> before = columns;
  EXPECT_EQ(std::erase_if(before, [&](const auto& column) { return column.name == name; }), 1u);
  {
    detail::ArrayFileWriter file(path);
    detail::TableWriter<Row> table(file, "rows", before);
    file.start("mark");
    table.add({&row, 1});
    file.flush(1);
    file.close();
  }
  detail::ArrayFileReader file(path);
  return detail::TableReader<Row>(file, "rows", columns).read({0, 1}).front();
}

TEST(OlderRecordings, WithoutAFigureOrAPull_ReadAsItsDefault) {
  detail::StepRow row;
  row.step.report.rows = row.step.report.contacts = 7;
  const StepReport report = readWithout("rows", detail::stepColumns(), row).step.report;
  EXPECT_EQ(report.contacts, 7);
  EXPECT_EQ(report.rows, 0);
  const detail::ContactEventRow touch{.event = {.normalImpulse = 2, .attraction = 3, .points = 4}};
  const ContactEvent event = readWithout("attraction", detail::contactEventColumns(), touch).event;
  EXPECT_EQ(event.normalImpulse, 2);
  EXPECT_EQ(event.attraction, 0);
}

struct FlagByte {
  std::uint8_t value = 0;
};
struct Flag {
  bool value = false;
};

TEST(DamagedFlags, OfAnyByteBut0_AreTrue) {
  const std::string path = testing::TempDir() + "/flags.h5";
  const std::vector<FlagByte> bytes = {{0}, {1}, {2}, {255}};
  const std::vector<detail::Column<FlagByte>> stored = {detail::column<&FlagByte::value>("value")};
  {
    detail::ArrayFileWriter file(path);
    detail::TableWriter<FlagByte> table(file, "rows", stored);
    file.start("mark");
    table.add(bytes);
    file.flush(1);
    file.close();
  }
  detail::ArrayFileReader file(path);
  const std::vector<detail::Column<Flag>> read = {detail::column<&Flag::value>("value")};
  const std::vector<Flag> flags = detail::TableReader<Flag>(file, "rows", read).read({0, 4});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(static_cast<int>(flags[i].value), bytes[i].value == 0 ? 0 : 1) << i;
  }
}

}  // namespace
}  // namespace drystone::test
