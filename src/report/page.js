/* Draws each figure's data with uPlot, in the colours of the style sheet, and again when these or
 * the width change. Without it the tables hold the same numbers. */
'use strict';
(function () {
  const HEIGHT = 320;
  const COLOURS = 6;
  const SCALES = { linear: { distr: 1 }, log2: { distr: 3, log: 2 }, log10: { distr: 3, log: 10 } };
  const FONT = '12px system-ui, sans-serif';

  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function show(value) {
    if (value == null) return '';
    const size = Math.abs(value);
    const decimals = size > 0 ? Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(size)))) : 0;
    return String(Number(value.toFixed(decimals)));
  }

  /* uPlot wants one column of x for all series: the union of theirs, with gaps. */
  function columns(series) {
    const xs = [...new Set(series.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
    return [xs, ...series.map((s) => {
      const at = new Map(s.points);
      return xs.map((x) => (at.has(x) ? at.get(x) : null));
    })];
  }

  function seriesOptions(s) {
    const stroke = colour('--c' + (s.subject % COLOURS));
    const line = s.style !== 'points';
    return {
      label: s.name,
      class: line ? 'line' : 'points',
      stroke,
      width: 2,
      dash: s.style === 'dashed' ? [6, 5] : undefined,
      paths: line ? uPlot.paths.linear() : () => null,
      points: { show: s.style === 'points' || s.style === 'both', size: 8, fill: stroke },
      spanGaps: true,
      value: (u, value) => show(value),
    };
  }

  /* Linear axes begin at 0, so that lengths compare. */
  function scaleOptions(axis) {
    const options = { time: false, ...SCALES[axis.scale] };
    if (axis.scale === 'linear') options.range = (u, least, most) => [Math.min(0, least), most * 1.05];
    return options;
  }

  function axisOptions(axis, size) {
    return {
      label: axis.label,
      labelFont: FONT,
      font: FONT,
      labelSize: 22,
      size,
      stroke: colour('--soft'),
      grid: { stroke: colour('--rule'), width: 1 },
      ticks: { stroke: colour('--rule'), width: 1, size: 4 },
      values: (u, splits) => splits.map(show),
    };
  }

  /* What the axes reach to, for whoever cannot see it. */
  function tellAxes(plot, canvas) {
    for (const name of ['x', 'y']) {
      canvas.dataset[name + 'Least'] = plot.scales[name].min;
      canvas.dataset[name + 'Most'] = plot.scales[name].max;
    }
  }

  function draw(figure) {
    const spec = JSON.parse(figure.querySelector('script').textContent);
    const canvas = figure.querySelector('.canvas');
    canvas.replaceChildren();
    new uPlot({
      width: canvas.clientWidth,
      height: HEIGHT,
      scales: { x: scaleOptions(spec.x), y: scaleOptions(spec.y) },
      axes: [axisOptions(spec.x, 34), axisOptions(spec.y, 56)],
      series: [{ label: spec.x.label, value: (u, value) => show(value) },
        ...spec.series.map(seriesOptions)],
      hooks: { ready: [(plot) => tellAxes(plot, canvas)] },
      cursor: { drag: { x: false, y: false } },
      legend: {
        markers: {
          width: 3,
          fill: (u, i) => u.series[i].stroke(u, i),
          dash: (u, i) => (u.series[i].dash ? 'dashed' : 'solid'),
        },
      },
    }, columns(spec.series), canvas);
  }

  const figures = [...document.querySelectorAll('figure.plot')];
  const drawAll = () => figures.forEach(draw);

  document.documentElement.classList.add('drawn');
  drawAll();
  let width = document.documentElement.clientWidth;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    drawAll();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  matchMedia('print').addEventListener('change', drawAll);
})();
