"""Draws the SVG plots of the numbers in a folder: `python3 -m
tools.bench.drawing FOLDER`. Only this module needs matplotlib. It is a separate program, because
Debian's matplotlib works only with Debian's Python."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import judgement, load_report, plots, reconcile_report, stored

_COLORS = ("#0b6e99", "#d98e04", "#b4b8bd")
_BAR_WIDTH = 0.27


def main(folder: Path) -> None:
    """Draws the plots for which there are numbers, and prints the path of each."""
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 10, "axes.spines.top": False,
                                "axes.spines.right": False, "axes.axisbelow": True,
                                # The same numbers give the same file.
                                "svg.fonttype": "none", "svg.hashsalt": "lvmd"})
    peer, load = stored.read(folder, "peer"), stored.read(folder, "load")
    if peer:
        _save(_latency(plots.bars(peer)), folder / "latency.svg")
        _save(_growth(plots.growth(peer)), folder / "growth.svg")
    if load and load_report.CREATES in load:
        _save(_creates(plots.creates(load)), folder / "creates.svg")
    if load and load_report.CALLS in load:
        _save(_memory(plots.memory(load)), folder / "memory.svg")
    reconcile = stored.read(folder, "reconcile")
    if reconcile and reconcile_report.STARTS in reconcile:
        _save(_starts(plots.starts(reconcile)), folder / "starts.svg")


def _latency(panels: list[plots.Bars]) -> Figure:
    figure, grid = pyplot.subplots(len(panels) // 2, 2, figsize=(15, 2 + 2 * len(panels)),
                                   squeeze=False, width_ratios=(5, 4))
    for axes, panel in zip(grid.flat, panels, strict=True):
        _bars(axes, panel)
    grid.flat[0].legend(loc="upper left", frameon=False)
    figure.suptitle("One client, p50 of each call. Floor: the same change by the LVM library alone; "
                    "of a read: a gRPC call that does nothing. Lines: without the lowest and highest tenth")
    return figure


def _bars(axes: Axes, panel: plots.Bars) -> None:
    for index, (name, heights) in enumerate(zip(plots.SERIES, panel.heights, strict=True)):
        places = [call + (index - 1) * _BAR_WIDTH for call in range(len(heights))]
        beyond = [(height - low, high - height) for height, (low, high)
                  in zip(heights, panel.middles[index], strict=True)]
        drawn = axes.bar(places, heights, _BAR_WIDTH * 0.94, color=_COLORS[index], label=name,
                         yerr=list(zip(*beyond, strict=True)),
                         error_kw={"elinewidth": 0.8, "ecolor": "#555555"})
        axes.bar_label(drawn, [f"{height:,.0f}" if height >= 10 else f"{height:.2g}"
                               for height in heights], padding=2, fontsize=8)
    axes.set_yscale("log")
    # Space for the numbers above the bars.
    lowest = min(min(heights) for heights in panel.heights)
    highest = max(max(heights) for heights in panel.heights)
    axes.set_ylim(lowest / 2, highest * 4)
    axes.set_xticks(range(len(panel.calls)), [call.replace(" ", "\n") for call in panel.calls])
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.set_ylabel("ms (logarithmic)")
    axes.set_title(f"{panel.title}, {panel.volumes:,} volumes in the group", loc="left")
    axes.grid(axis="y", alpha=0.3)


def _growth(panels: list[plots.Growth]) -> Figure:
    rows = (len(panels) + 1) // 2
    figure, grid = pyplot.subplots(rows, 2, figsize=(12, 2 + 3 * rows), squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.remove()
    for axes, panel in zip(grid.flat, panels, strict=False):
        for index, (name, heights) in enumerate(zip(plots.SERIES, panel.milliseconds,
                                                    strict=True)):
            axes.plot(panel.volumes, heights, "o-", color=_COLORS[index], label=name)
            for place, height in zip(panel.volumes, heights, strict=True):
                axes.annotate(f"{height:,.0f}", (place, height), xytext=(0, 6), fontsize=8,
                              textcoords="offset points", ha="center", color=_COLORS[index])
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(0.1, 0.2)
        axes.yaxis.set_minor_formatter("")
        axes.xaxis.set_major_formatter("{x:,g}")
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.set_xlabel("volumes in the group")
        axes.set_ylabel("ms")
        axes.set_title(panel.call, loc="left")
        axes.grid(alpha=0.3)
    grid.flat[0].legend(loc="upper left", frameon=False)
    figure.suptitle("One client, p50 of each change. Floor: the same change by the LVM library alone")
    return figure


def _creates(series: plots.Creates) -> Figure:
    figure, axes = pyplot.subplots(figsize=(10, 5))
    axes.plot(series.numbers, series.milliseconds, ".", markersize=3, color=_COLORS[2],
              label="each")
    axes.plot(series.mean_numbers, series.means, "o-", color=_COLORS[0], label="mean of a hundred")
    axes.axhline(series.means[0] * judgement.LAST_HUNDRED_TIMES, color=_COLORS[1], linestyle="--",
                 label=f"{judgement.LAST_HUNDRED_TIMES:.0f} × the first hundred")
    axes.set_ylim(0, max(series.means[0] * (judgement.LAST_HUNDRED_TIMES + 1),
                         max(series.milliseconds) * 1.1))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("volume, one after the other")
    axes.set_ylabel("CreateLV thick, ms")
    axes.set_title(f"{len(series.numbers):,} volumes made one after the other: "
                   f"the last hundred take {series.ratio:.2f} × the first", loc="left")
    axes.legend(loc="upper left", frameon=False)
    axes.grid(axis="y", alpha=0.3)
    return figure


def _memory(series: plots.Memory) -> Figure:
    figure, axes = pyplot.subplots(figsize=(10, 5))
    axes.plot(series.calls, series.pss, "s-", color=_COLORS[2], label="PSS")
    axes.plot(series.calls, series.private_dirty, "o-", color=_COLORS[0], label="private dirty")
    axes.axhline(judgement.PRIVATE_MB, color=_COLORS[1], linestyle="--",
                 label=f"{judgement.PRIVATE_MB:.0f} MB private dirty")
    axes.set_ylim(0, max(*series.pss, *series.private_dirty, judgement.PRIVATE_MB) * 1.25)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("calls, of all nine kinds")
    axes.set_ylabel("MB")
    axes.set_title(f"Memory of all processes of lvmd, {series.volumes:,} volumes", loc="left")
    axes.legend(loc="upper left", frameon=False, ncols=3)
    axes.grid(axis="y", alpha=0.3)
    return figure


def _starts(columns: list[plots.Starts]) -> Figure:
    figure, grid = pyplot.subplots(2, len(columns), figsize=(12, 8), squeeze=False)
    for column, series in enumerate(columns):
        for axes, heights, label in ((grid[0][column], series.kilobytes, "kB, both ways"),
                                     (grid[1][column], series.requests, "requests")):
            drawn = axes.plot(series.crs, heights, "o-", color=_COLORS[column])
            for place, height in zip(series.crs, heights, strict=True):
                axes.annotate(f"{height:,.0f}", (place, height), xytext=(0, 6), fontsize=8,
                              textcoords="offset points", ha="center", color=drawn[0].get_color())
            axes.set_ylim(0, max(heights) * 1.3)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.set_xlabel(series.label)
            axes.set_ylabel(label)
            axes.grid(axis="y", alpha=0.3)
        grid[0][column].set_title(series.title, loc="left")
    figure.suptitle("A start of lvmd-reconciler with nothing to do, until it is silent")
    return figure


def _save(figure: Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
