// What a reader of the page sees, asked of a browser. Started by report_browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [executablePath, program, recordPath, driver, screens] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(driver, 'index.mjs')));
const folder = mkdtempSync(join(tmpdir(), 'yoke-report-'));
const text = readFileSync(recordPath, 'utf8');
const record = JSON.parse(text);
const rowsOf = (suite, what) => record.rows.filter((r) => r.suite === suite && r.case === what);

function makePage(name, ...records) {
  const page = join(folder, name + '.html');
  execFileSync(program, ['report', ...records, '-o', page]);
  return pathToFileURL(page).href;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const url = makePage('page', recordPath);

/* Opens a page; whatever it asks the network for or complains of is kept. */
async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on('console', (message) => page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('dialog', (dialog) => { page.complaints.push('dialog'); dialog.dismiss(); });
  page.on('request', (request) => page.requests.push(request.url()));
  await page.goto(address);
  return page;
}

const shot = (page, name) => page.screenshot({ path: join(screens, name + '.png'), fullPage: true });

/* The exact numbers of a table's body, row by row. */
const numbers = (page, caption) => page.evaluate((wanted) => {
  const table = [...document.querySelectorAll('table')]
    .find((t) => t.caption?.textContent.startsWith(wanted));
  return [...table.tBodies[0].rows].map((row) =>
    [...row.querySelectorAll('data')].map((data) => Number(data.value)));
}, caption);

function near(found, expected) {
  assert.equal(found.length, expected.length);
  found.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= 1e-8 * Math.abs(expected[i]),
      `${value} instead of ${expected[i]}`));
}

/* Contrast of an element's text with the page, by the formula of WCAG 2. */
const contrast = (page, selector) => page.evaluate((wanted) => {
  const channel = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pair = [getComputedStyle(document.querySelector(wanted)).color,
    getComputedStyle(document.body).backgroundColor].map(luminance).sort((a, b) => b - a);
  return (pair[0] + 0.05) / (pair[1] + 0.05);
}, selector);

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

const tests = {
  async the_page_renders_and_asks_the_network_for_nothing() {
    const page = await open(url);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests, [url]);
    assert.equal(await page.title(), 'yoke report');
    await shot(page, 'light');
  },

  async every_plot_is_drawn_over_axes_that_hold_its_values() {
    const page = await open(url);
    const plots = await page.evaluate(() => [...document.querySelectorAll('.plot')].map((figure) => {
      const canvas = figure.querySelector('canvas');
      const pixels = new Uint32Array(canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      const spec = JSON.parse(figure.querySelector('script').textContent);
      const points = spec.series.flatMap((s) => s.points);
      const axes = figure.querySelector('.canvas').dataset;
      return { inked: pixels.filter((p) => p !== 0).length, points,
        x: [Number(axes.xLeast), Number(axes.xMost)], y: [Number(axes.yLeast), Number(axes.yMost)] };
    }));
    assert.equal(plots.length, 3); /* the fit, the roofline, the sweep */
    for (const plot of plots) {
      assert.ok(plot.inked > 2000);
      assert.ok(plot.points.length >= 4);
      for (const [x, y] of plot.points) {
        assert.ok(x >= plot.x[0] && x <= plot.x[1], `${x} is not within ${plot.x}`);
        assert.ok(y >= plot.y[0] && y <= plot.y[1], `${y} is not within ${plot.y}`);
      }
    }
  },

  async numbers_of_the_tables_are_those_of_the_record() {
    const page = await open(url);
    const sizes = await numbers(page, 'The sizes');
    rowsOf('read', 'size').forEach((row, i) => near(sizes[i], [row.bytes / 1e6, row.sample_count,
      row.median_ns / 1e6, row.bytes / row.median_ns, row.limit_naive_gbps]));
    const sweep = await numbers(page, 'The M sweep');
    rowsOf('compute', 'm').forEach((row, i) => near(sweep[i], [row.m, row.sample_count,
      row.median_ns / 1e6, 2 * row.m * row.n * row.k / row.median_ns / 1e3, row.limit_tflops,
      row.fraction_of_limit]));
    const splits = await numbers(page, 'The split against');
    rowsOf('split', 'split').forEach((row, i) => near(splits[i], [row.best_single_ns / 1e6,
      row.ideal_ns / 1e6, row.median_ns / 1e6, row.predicted_ns / 1e6,
      row.ideal_ns / row.median_ns, row.best_single_ns / row.median_ns]));
    const matrix = (await numbers(page, 'What each engine keeps of its rate at M = 128')).flat();
    near(matrix, rowsOf('contention', 'beside').filter((r) => r.m === 128).map((r) => r.retained));
  },

  async points_of_the_plots_are_numbers_of_the_record() {
    const page = await open(url);
    const plots = await page.evaluate(() => [...document.querySelectorAll('.plot script')]
      .map((script) => JSON.parse(script.textContent).series));
    const sizes = rowsOf('read', 'size'), sweep = rowsOf('compute', 'm');
    near(plots[0][0].points.flat(), sizes.flatMap((r) => [r.bytes / 1e6, r.median_ns / 1e6]));
    near(plots[0][1].points.map((p) => p[1]), [sizes[0].fixed_ns / 1e6,
      (sizes[0].fixed_ns + sizes.at(-1).bytes / sizes[0].slope_gbps) / 1e6]);
    near(plots[1][0].points.map((p) => p[0]), sweep.map((r) => 2 * r.m * r.n * r.k / r.bytes));
    near(plots[2][0].points.flat(), sweep.flatMap((r) => [r.m, r.tflops]));
  },

  async nothing_scrolls_sideways_at_360_pixels_but_tables_in_their_frame() {
    for (const [name, address] of [['phone', url],
      ['phone-two', makePage('two', recordPath, recordPath)]]) {
      const page = await open(address, { viewport: { width: 360, height: 740 }, isMobile: true });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      const wide = await page.evaluate(() => [...document.querySelectorAll('body *')]
        .filter((e) => !e.closest('.scroll') && e.getBoundingClientRect().right > 360.5)
        .map((e) => e.outerHTML.slice(0, 80)));
      assert.deepEqual(wide, []);
      await shot(page, name);
    }
  },

  async a_dark_system_gets_a_dark_page_and_both_can_be_read() {
    const light = await open(url), dark = await open(url, { colorScheme: 'dark' });
    assert.notEqual(await paper(light), await paper(dark));
    for (const page of [light, dark])
      for (const selector of ['body', '.meaning', '.failed', 'a', 'thead th', '.unknown'])
        assert.ok(await contrast(page, selector) >= 4.5, selector);
    const plot = (page) => page.locator('.plot canvas').first().screenshot();
    assert.notDeepEqual(await plot(light), await plot(dark));
    await light.emulateMedia({ colorScheme: 'dark' });
    await light.waitForTimeout(100);
    assert.deepEqual(await plot(light), await plot(dark)); /* drawn again in the new colours */
    await shot(dark, 'dark');
  },

  async paper_gets_a_white_page_whatever_the_system() {
    const page = await open(url, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await paper(page), 'rgb(255, 255, 255)');
    await shot(page, 'print');
    await page.emulateMedia({ media: 'screen' });
    writeFileSync(join(screens, 'print.pdf'), await page.pdf({ format: 'A4' }));
  },

  async without_scripts_every_table_is_there_and_no_empty_plot() {
    const count = async (page) => [await page.locator('table').count(),
      await page.locator('data').count()];
    const page = await open(url, { javaScriptEnabled: false });
    /* those that uPlot makes of its legends are no part of the page */
    const scripted = await open(url);
    await scripted.evaluate(() => document.querySelectorAll('.uplot').forEach((e) => e.remove()));
    assert.deepEqual(await count(page), await count(scripted));
    assert.ok((await count(page))[0] >= 12);
    assert.equal(await page.locator('.plot').first().isVisible(), false);
    await shot(page, 'without-scripts');
  },

  async headings_follow_each_other_and_tables_say_what_they_hold() {
    const page = await open(makePage('outline', recordPath, recordPath));
    await page.evaluate(() => document.querySelectorAll('.uplot').forEach((e) => e.remove()));
    const outline = await page.evaluate(() => ({
      levels: [...document.querySelectorAll('h1,h2,h3,h4,h5')].map((h) => Number(h.tagName[1])),
      bare: [...document.querySelectorAll('table')].filter((t) => !t.caption?.textContent.trim()).length,
      unscoped: document.querySelectorAll('th:not([scope])').length,
      twice: [...document.querySelectorAll('[id]')].length -
        new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size,
      lost: [...document.querySelectorAll('a[href^="#"]')]
        .filter((a) => !document.getElementById(a.getAttribute('href').slice(1))).length,
    }));
    assert.equal(outline.levels[0], 1);
    outline.levels.slice(1).forEach((level, i) => assert.ok(level <= outline.levels[i] + 1));
    assert.deepEqual({ ...outline, levels: [] }, { levels: [], bare: 0, unscoped: 0, twice: 0, lost: 0 });
  },

  async texts_of_a_record_stay_texts() {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'><!--&amp;';
    const hostile = structuredClone(record);
    hostile.host.cpu = evil;
    hostile.notes = [evil];
    hostile.rows.at(-1).reason = evil;
    for (const row of hostile.rows) if (row.engine === 'cpu') row.engine = evil;
    hostile.engines[0].specification = evil;
    const path = join(folder, 'hostile.json');
    writeFileSync(path, JSON.stringify(hostile));
    const page = await open(makePage('hostile', path));
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests.length, 1);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('h2').first().textContent(), evil);
    assert.ok((await page.locator('.u-legend').first().textContent()).includes(evil));
  },
};

mkdirSync(screens, { recursive: true });
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log('ok', name);
  } catch (error) {
    failed++;
    console.log('FAILED', name, error.stack);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
