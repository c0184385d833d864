"""What the programs that draw docs/plots share: style, reading of CSV files, saving."""

import argparse
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]  # Okabe, Ito
MARKERS = "osD^vP*"


def style():
    plt.rcParams.update({
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.prop_cycle": plt.cycler(color=COLORS),
        "grid.color": "#e4e4e4",
        "legend.frameon": False,
        "lines.linewidth": 1.4,
        "savefig.facecolor": "white",  # readable on dark pages too
        "svg.hashsalt": "drystone",  # the same file for the same data
    })


def read(folder, name):
    """Rows of NAME.csv as dictionaries, numbers as numbers; none when there is no file."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []

    def value(text):
        try:
            return float(text)
        except ValueError:
            return text

    with path.open() as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def unique(rows, key):
    return list(dict.fromkeys(row[key] for row in rows))


def pick(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def column(rows, key):
    return [row[key] for row in rows]


def small_multiples(count, columns=3, width=9.5, height=2.3):
    lines = -(-count // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(width, height * lines), squeeze=False,
                                layout="constrained")
    for spare in axes.flat[count:]:
        spare.set_visible(False)
    return figure, list(axes.flat[:count])


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    print(path)


def legend_above(figure, axis, columns):
    """One legend for all panels, of what `axis` shows."""
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=columns)


def label_outer(figure, x_label, y_label):
    figure.supxlabel(x_label, fontsize=10)
    figure.supylabel(y_label, fontsize=10)


def target_parser(description):
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--target", type=pathlib.Path, default=root / "docs" / "plots",
                        help="folder of the SVG files")
    return parser


def draw(description, plots):
    """Reads the arguments and calls every plot with the folders of data and pictures."""
    parser = target_parser(description)
    parser.add_argument("source", type=pathlib.Path, help="folder given to --csv")
    arguments = parser.parse_args()
    if not arguments.source.is_dir():
        parser.error(f"{arguments.source} is no folder")
    style()
    for plot in plots:
        plot(arguments.source, arguments.target)


def draw_computed(description, plots):
    """The same for plots that compute what they show."""
    arguments = target_parser(description).parse_args()
    style()
    for plot in plots:
        plot(arguments.target)
