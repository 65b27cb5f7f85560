import { searchForStarts } from './literal-starts.ts';
import { isCode, isPlaceholder, type TextValue } from './secret-values.ts';

/** How a program's command line takes a secret, as data: the program, and what comes before its secret. */
const forms: readonly (readonly [programs: string, before: string])[] = [
  ['curl|wget|https?', String.raw`\s(?:-[a-zA-Z]{0,5}[uUa]|--user|--proxy-user|--auth)[ =]?["']?[^\s:"']{0,100}:`],
  ['sshpass', String.raw`\s-p[ ]?`],
  ['mysql\\w{0,12}|mariadb[\\w-]{0,12}', String.raw`\s-p(?=\S)`],
  ['docker|podman|buildah|nerdctl|helm|skopeo|crane', String.raw`\slogin\s(?:[^\n]{0,200}\s)?-p[ =]?`],
  ['redis-cli', String.raw`\s-a[ ]?`],
  ['ldap\\w{3,8}', String.raw`\s-w[ ]?`],
  ['mosquitto_\\w{3,4}|sqlcmd|ipmitool|unzip|zip', String.raw`\s-P[ ]?`],
  ['mongo\\w{0,8}|xfreerdp|rdesktop|7za?|7zr|unrar', String.raw`\s-p[ ]?`],
  ['wfreerdp|xfreerdp', String.raw`\s/p:`],
  ['net use', String.raw`\s/user:\S{1,80}\s{1,4}`],
  ['smbclient|rpcclient|smbmap|mount\\.cifs|wmic|winexe', String.raw`\s-U[ ]?["']?[^\s%"']{1,80}%`],
  ['lftp|ncftp', String.raw`\s-u[ ]?["']?[^\s,"']{1,80},`],
  ['sqlplus|expdp|impdp|rman', String.raw`\s(?:target\s)?["']?\w{1,60}/`],
  ['htpasswd', String.raw`\s-\w{0,6}b\w{0,6}\s(?:\S{1,200}\s)?\S{1,80}\s{1,4}`],
  ['rabbitmqctl', String.raw`\s(?:add_user|change_password)\s{1,4}\S{1,80}\s{1,4}`],
  ['vault login|rclone obscure|op signin|snyk auth|doppler login|infisical login', String.raw`\s{1,4}(?=[^-\s])`],
  ['gh secret set', String.raw`\s(?:-b|--body)[ =]?`],
  [
    'kubectl create secret|kubectl -n \\S{1,60} create secret',
    String.raw`\s[^\n]{0,300}--from-literal[ =]["']?[\w.-]{1,80}=`,
  ],
  ['aws configure set', String.raw`\s{1,4}aws_s\w{1,40}\s{1,4}`],
  ['openssl', String.raw`\s-(?:k|K)[ ]`],
  ['ssh-keygen', String.raw`\s-[NP][ ]?`],
  ['az login', String.raw`\s-p[ =]?`],
  ['ConvertTo-SecureString', String.raw`\s(?:-String\s)?(?=["'])`],
  ['snmp\\w{2,10}', String.raw`\s-[AX][ ]`],
  ['identified by|identified with \\w{1,40} by', String.raw`\s{1,4}(?:password\s)?(?=["'])`],
  [
    'npm config set|npm set|yarn config set|pnpm config set',
    String.raw`\s[^\n]{0,120}(?:_authToken|_auth|_password|npmAuthToken)[ =]`,
  ],
  [
    'heroku config:set|fly secrets set|flyctl secrets set|wrangler secret put|railway variables set',
    String.raw`\s{1,4}\w{1,60}=`,
  ],
];

/** Where a secret goes into a program by its standard input. */
const piped =
  /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?(?<quote>["']?)(?:[\w.@-]{1,60}:(?=[^|\n]{1,200}chpasswd))?(?<secret>[^\s|"'\n][^|"'\n]{2,200}?)(?:\\n)?\k<quote>[ \t]{0,4}\|[^\n]{0,120}?(?:sudo[ \t]{1,4}(?:-\w{1,10}[ \t]{1,4})*-\w{0,4}S|--password-stdin|--with-token|--stdin\b|chpasswd|cryptsetup|docker login)/dg;

const programStart = searchForStarts(forms.flatMap(([programs]) => programs.split('|')));
const programs = forms.map(([names]) => new RegExp(`(?:${names})(?=[ \\t"'])`, 'iy'));
const before = forms.map(([, source]) => new RegExp(source, 'g'));

const ARGUMENT_CHARACTERS = 600;
const ARGUMENTS_MAX = 4;
const word = /["']?(?:(?<=")[^"\n]{1,200}|(?<=')[^'\n]{1,200}|[^\s"'`|;]{1,200})/y;

/** The secrets in the arguments of programs: `curl -u name:X`, `sshpass -p X`, `mysql -pX`. */
export function findInCommands(text: string): TextValue[] {
  const found: TextValue[] = [];
  for (const { index } of text.matchAll(programStart)) {
    if (!/(?:^|[^/\w.-]|bin\/)$/.test(text.slice(Math.max(0, index - 4), index))) continue;
    for (const [form, program] of programs.entries()) {
      program.lastIndex = index;
      if (program.test(text)) found.push(...findArguments(text, program.lastIndex, form));
    }
  }
  for (const match of text.matchAll(piped)) {
    const [from, to] = match.indices?.groups?.secret ?? [0, 0];
    const secret = text.slice(from, to);
    if (!isPlaceholder(secret) && !isCode(secret)) found.push({ from, to, text: secret, quoted: false });
  }
  return found;
}

function findArguments(text: string, from: number, form: number): TextValue[] {
  const [line = ''] = /^(?:[^\n\\]|\\\r?[\s\S]){0,600}/.exec(text.slice(from, from + ARGUMENT_CHARACTERS)) ?? [];
  const heads = [...line.matchAll(before[form] ?? /$^/g)].slice(0, ARGUMENTS_MAX);
  return heads.flatMap((head) => readWord(text, from + head.index + head[0].length, from + line.length) ?? []);
}

function readWord(text: string, at: number, end: number): TextValue | undefined {
  const space = /^(?:\\\r?\n|[ \t])*/.exec(text.slice(at, end))?.[0].length ?? 0;
  word.lastIndex = at + space;
  const [run] = word.exec(text) ?? [];
  if (run === undefined) return undefined;
  const quote = /^["']/.test(run) ? 1 : 0;
  const secret = run.slice(quote);
  if (secret.length < 3 || isPlaceholder(secret) || /^-/.test(secret)) return undefined;
  const from = at + space + quote;
  return { from, to: from + secret.length, text: secret, quoted: quote === 1 };
}
