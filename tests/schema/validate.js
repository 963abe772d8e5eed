// validate.js SCHEMA FULL RECORD...: the records keep to the schema; FULL has every field that the
// schema knows; and FULL, broken in many ways, is refused.
'use strict';
const fs = require('fs');
const Ajv = require(process.env.YOKE_TEST_AJV).default;

const read = (path) => JSON.parse(fs.readFileSync(path, 'utf8'));
const [schemaPath, fullPath, ...others] = process.argv.slice(2);
const schema = read(schemaPath);
const valid = new Ajv({ strict: true, allErrors: true }).compile(schema);
let bad = 0;

function complain(text) {
  console.log(text);
  bad++;
}

for (const path of [fullPath, ...others])
  if (!valid(read(path)))
    for (const error of valid.errors)
      complain(`${path}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);

// What the schema allows is what is written: nothing in it is left from another time.
function missing(definition, value, where) {
  for (const name of Object.keys(definition.properties))
    if (!(name in value)) complain(`${where}${name} is in the schema and not in the full record`);
}
const full = read(fullPath);
const { host, core_set, artefact, method, engine, row } = schema.$defs;
missing(schema, full, '');
missing(host, full.host, 'host.');
missing(core_set, full.host.core_sets[0], 'host.core_sets.');
missing(artefact, full.artefact, 'artefact.');
missing(method, full.method, 'method.');
missing(engine, full.engines[0], 'engines.');
missing(row, full.rows[0], 'rows.');

// Each breaks one thing in a copy of the full record.
const breaks = {
  'another schema': (r) => { r.schema = 2; },
  'no schema': (r) => { delete r.schema; },
  'no rows': (r) => { delete r.rows; },
  'a field nobody wrote': (r) => { r.surprise = 1; },
  'a field nobody wrote in a row': (r) => { r.rows[0].surprise = 1; },
  'a field nobody wrote in the host': (r) => { r.host.surprise = 1; },
  'null for not known': (r) => { r.rows[0].tflops = null; },
  '0 for not known': (r) => { r.rows[0].bytes = 0; },
  '"" for not known': (r) => { r.rows[0].engine = ''; },
  'a number as text': (r) => { r.rows[0].median_ns = '12'; },
  'half a column': (r) => { r.rows[0].n = 1.5; },
  'a negative count': (r) => { r.rows[0].outliers_mild = -1; },
  'a row without its suite': (r) => { delete r.rows[0].suite; },
  'a row that says not whether it failed': (r) => { delete r.rows[0].failed; },
  'a failed row with rates': (r) => { r.rows[0].failed = true; },
  'samples that are texts': (r) => { r.rows[0].samples_ns = ['1']; },
  'samples without their count': (r) => { delete r.rows[0].sample_count; },
  'a time of another form': (r) => { r.time_utc = '31.1.2026'; },
  'an option that is a number': (r) => { r.options.seconds = 90; },
  'an engine that says not whether it is ready': (r) => { delete r.engines[0].ready; },
  'a note that is an object': (r) => { r.notes.push({}); },
  'core sets without CPUs': (r) => { delete r.host.core_sets[0].cpus; },
};
for (const [name, change] of Object.entries(breaks)) {
  const broken = structuredClone(full);
  change(broken);
  if (valid(broken)) complain(`not refused: ${name}`);
}
console.log(`${1 + others.length} records kept to the schema, ${Object.keys(breaks).length} broken ones did not`);
process.exit(bad ? 1 : 0);
