/** Settings files as people and tools leave them. None holds anything of Baton's. */
export interface SettingsShape {
  name: string;
  text: string;
  /** What is left once Baton's hooks are removed by a person, where that is not the very text. */
  after_removal?: string;
}

const foreign = '{ "type": "command", "command": "notify-send done" }';

export const settingsShapes: readonly SettingsShape[] = [
  { name: 'an empty file', text: '', after_removal: '{}\n' },
  { name: 'blank lines', text: '\n\n', after_removal: '{}\n' },
  { name: 'an empty object', text: '{}' },
  { name: 'an empty object with its line end', text: '{}\n' },
  { name: 'an empty object over lines', text: '{\n}\n', after_removal: '{}\n' },
  { name: 'an empty object with a remark', text: '{\n  // nothing yet\n}\n' },
  {
    name: 'an empty object with a remark on its line',
    text: '{ /* nothing */ }\n',
    after_removal: '{ /* nothing */\n }\n',
  },
  { name: 'a remark alone', text: '// settings\n', after_removal: '// settings\n{}\n' },
  { name: 'other settings', text: '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n' },
  { name: 'no last line end', text: '{\n  "model": "opus"\n}' },
  { name: 'tabs', text: '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n' },
  { name: 'four spaces', text: '{\n    "model": "opus"\n}\n' },
  { name: 'CRLF', text: '{\r\n  "model": "opus",\r\n  "env": { "A": "1" }\r\n}\r\n' },
  { name: 'mixed line ends', text: '{\r\n  "model": "opus",\n  "env": {}\r\n}\n' },
  { name: 'minified', text: '{"model":"opus","env":{"A":"1"}}' },
  { name: 'minified with hooks', text: `{"hooks":{"Stop":[{"hooks":[${foreign.replaceAll(' ', '')}]}]},"x":[1,2]}\n` },
  { name: 'one line with spaces', text: '{ "model": "opus" }\n' },
  {
    name: 'comments everywhere',
    text: '// top\n{\n  // before\n  "model": "opus", // beside\n  /* between */\n  "env": {} /* after */ // last\n  // at the end\n}\n// below\n',
  },
  { name: 'a trailing comma', text: '{\n  "model": "opus", // yes\n}\n' },
  {
    name: 'trailing commas inside',
    text: '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
  },
  { name: 'a comma on the next line', text: '{\n    "a": 1\n  , "b": 2\n  , "hooks": {}\n}\n' },
  {
    name: 'hooks of other tools on our events',
    text: `{\n  "hooks": {\n    "SessionStart": [\n      { "matcher": "startup", "hooks": [${foreign}] }\n    ],\n    "Stop": [{ "hooks": [${foreign}] }] // mine\n  }\n}\n`,
  },
  {
    name: 'hooks of other events',
    text: `{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": [${foreign}]\n      }\n    ]\n  }\n}\n`,
  },
  { name: 'empty hooks', text: '{\n  "hooks": {}\n}\n' },
  { name: 'an empty list of our event', text: '{\n  "hooks": {\n    "Stop": []\n  }\n}\n' },
  { name: 'deeply indented', text: '      {\n            "model": "opus",\n            "hooks": {}\n      }\n' },
  { name: 'not indented', text: '{\n"model": "opus",\n"env": {\n"A": "1"\n}\n}\n' },
  {
    name: 'unusual order and values',
    text: '{\n  "z": null,\n  "a": [true, 1e3, -0.5],\n  "": "",\n  "__proto__": { "x": 1 }\n}\n',
  },
  {
    name: 'a name twice',
    text: '{\n  "hooks": { "Stop": [] },\n  "model": "a",\n  "model": "b",\n  "hooks": { "Stop": [] }\n}\n',
  },
  {
    name: 'escapes and wide letters',
    text: '{\n  "caf\\u00e9": "\\ud83c\\udf0a 🌊 \\"hook Stop\\" // no comment"\n}\n',
  },
  { name: 'groups that are no groups', text: '{\n  "hooks": {\n    "Stop": [null, 1, { "hooks": "x" }, {}]\n  }\n}\n' },
  {
    name: 'what only looks like ours',
    text: '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "echo baton hook Stop" }] },\n      { "hooks": [{ "type": "command", "command": "my-baton hook Stop" }] }\n    ]\n  }\n}\n',
  },
];
