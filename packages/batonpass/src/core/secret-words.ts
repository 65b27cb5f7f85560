import { searchForStarts } from './literal-starts.ts';

/**
 * The words by which people and programs announce a secret, as data: a language is added by a row. Entries are sources of
 * regular expressions, matched without regard to letter case.
 */

interface LanguageWords {
  /** People's names for a password. Weak values count after these. */
  passwords: readonly string[];
  /** Names of a key, a token or a session: only a value that looks random counts after these. */
  keys: readonly string[];
  /** What a name and a password together are called: `login: sam / X`. */
  logins: readonly string[];
  /** What links the name to the value: "is". */
  links: readonly string[];
  /** What links them only after a verb of changing: "set the password to X". */
  changes: { verbs: readonly string[]; links: readonly string[] };
  /** What comes before a value that follows at once: "with password X". */
  verbs: readonly string[];
  /** What comes after a link in ordinary sentences: "the password is wrong". */
  ordinary: readonly string[];
}

const english: LanguageWords = {
  passwords: [
    'passwords?',
    'passwd',
    'passphrase',
    'passcode',
    'pass',
    'pwd',
    'pw',
    'psk',
    'storepass',
    'keypass',
    'secret',
    'REDISCLI_AUTH',
  ],
  keys: [
    'key',
    'token',
    'authorization',
    'sess(?:ion)?[_-]?(?:id|cookie)',
    'connect\\.sid',
    '_auth',
    'cookie',
    'sig(?:nature)?',
  ],
  logins: ['credentials?', 'creds', 'log ?in', 'sign ?in', 'account'],
  links: ['is', 'was', 'are', 'will be', 'becomes', "it['’]s", 'remains', 'equals'],
  changes: {
    verbs: ['set', 'sett?ing', 'reset', 'chang(?:e|ed|ing)', 'updat(?:e|ed|ing)', 'rotated?'],
    links: ['to', 'as'],
  },
  verbs: ['use', 'using', 'with', 'try', 'enter', 'type', 'and', 'password'],
  ordinary: [
    'wrong|correct|written|chosen|forgotten|broken|stolen|spoken|found|seen|unset|part|subject|worth|incorrect|invalid|valid|missing|empty|blank|required|optional|weak|strong|unknown|known|safe|secure|insecure|hidden|plain|plaintext|present|absent|public|private|local|remote|unique|different|equal|same|sensitive|random|short|long|late|fine|good|bad|here|there|this|that|these|those|what|when|where|which|whose|also|only|never|always|still|just|then|than|with|from|into|over|under|about|like|used|sent|kept|read|shown|lost|gone|done|made|given|taken|known|held|built|left|true|false|null|none|undefined|string|text|number|boolean|bool|integer|object|array|varchar|char|bytes|any|never|unknown|void|optional|nullable|type|value|input|field|flag|option|argument|parameter|variable|default|example|placeholder|password|passwd|pass|passphrase|secret|token|user|username|admin|root|email|name|label|test|todo|fixme|fail|failed|failure|skip|success|error|warn|pending|prompt|ask|env|file|stdin|stdout|current|later|soon|yours|mine|ours|enabled|disabled|yes|no|not|and|the|our|your|their|because|bearer|basic|digest|nothing|something|everything|anything|important|necessary|enough|protected|base64|utf-?8|sha256|sha512|sha1|md5|bcrypt|scrypt|argon2|argon2id|pbkdf2|oauth2|ed25519|es256|hs256|rs256|ipv4|ipv6|http2|x509',
  ],
};

const spanish: LanguageWords = {
  passwords: ['contrase(?:ñ|n|n\u0303)as?', 'clave'],
  keys: ['clave (?:de api|de acceso|secreta|privada)', 'ficha de acceso'],
  logins: ['credenciales', 'usuario'],
  links: ['es', 'era', 'ser[áa]', 'son', 'sigue siendo'],
  changes: { verbs: ['cambi\\p{L}+', 'pon\\p{L}*', 'actuali\\p{L}+'], links: ['a', 'por'] },
  verbs: ['con', 'usa', 'usar', 'usando', 'y'],
  ordinary: [
    'incorrecta?|correcta?|obligatori[ao]|requerid[ao]|inv[áa]lid[ao]|v[áa]lid[ao]|vac[íi][ao]|d[ée]bil|fuerte|segur[ao]|secret[ao]|nul[ao]|cadena|texto|que|una?|la|el|muy|nueva|vieja|siempre|nunca',
  ],
};

const chinese: LanguageWords = {
  passwords: ['密码', '密碼', '口令'],
  keys: ['密钥', '密鑰', '令牌', '私钥'],
  logins: ['账号', '帐号', '账户', '凭据', '凭证'],
  links: ['是', '为', '為', '叫', '改成', '改为', '设为', '设置为', '就是'],
  changes: { verbs: [], links: [] },
  verbs: ['用', '使用', '输入'],
  ordinary: [],
};

const german: LanguageWords = {
  passwords: ['passw(?:o|ö)rte?r?', 'kennwort', 'zugangscode'],
  keys: ['schl(?:ü|ue)ssel'],
  logins: ['zugangsdaten', 'anmeldedaten', 'benutzer'],
  links: ['ist', 'war', 'lautet', 'lautete', 'hei(?:ß|ss)t', 'sind', 'wird'],
  changes: { verbs: ['setz\\p{L}*', '(?:ge)?änder\\p{L}*'], links: ['auf'] },
  verbs: ['mit', 'nimm', 'benutze', 'verwende', 'und'],
  ordinary: [
    'falsch|richtig|korrekt|ung[üu]ltig|g[üu]ltig|leer|erforderlich|optional|n[öo]tig|schwach|stark|sicher|unsicher|geheim|bekannt|unbekannt|abgelaufen|nicht|eine?|der|die|das|auch|noch|immer|dort|hier|lang|kurz|gleich|dasselbe|verschl[üu]sselt|gehasht',
  ],
};

const french: LanguageWords = {
  passwords: ['mots? de passe', 'mdp', "code d[’']acc[èe]s"],
  keys: ["cl(?:é|e|e\u0301) (?:d[’']?api|secr[èe]te|priv[ée]e|d[’']acc[èe]s)", 'jeton'],
  logins: ['identifiants?', 'utilisateur'],
  links: ['est', '[ée]tait', 'sera', 'sont', 'reste'],
  changes: { verbs: ['mets', 'mettre', 'mis', 'chang\\p{L}+'], links: ['à', 'en', 'par'] },
  verbs: ['avec', 'utilise', 'utilisez', 'utiliser', 'et'],
  ordinary: [
    'incorrect|correct|faux|fausse|invalide|valide|vide|obligatoire|requis|optionnel|faible|fort|s[ûu]r|secr[èe]te?|inconnu|connu|expir[ée]e?|pas|une?|le|la|toujours|trop|aussi|ici|cha[îi]ne|texte|nul',
  ],
};

const languages = [english, spanish, chinese, german, french];
/** The longest first: `pass` must not hide `passwort`. */
const all = (part: Exclude<keyof LanguageWords, 'changes'>) =>
  languages
    .flatMap((language) => language[part])
    .sort((a, b) => b.length - a.length)
    .join('|');

/** Every name of a secret, by its sort; tried where `cueStart` stops. */
export const cue = new RegExp(
  `(?<key>${all('keys')})|(?<password>${all('passwords')})|(?<login>${all('logins')})`,
  'yi',
);

/** Where a name of a secret may begin, and masks, which are passed over. */
export const cueStart = new RegExp(
  `\\[masked:[a-z0-9-]{1,30}\\]|${searchForStarts(languages.flatMap(({ passwords, keys, logins }) => [...passwords, ...keys, ...logins])).source}`,
  'gi',
);

/** What makes a key a secret one, before the word. */
export const keyQualifier =
  /(?:api|access|secret|private|signing|encryption|master|auth|license|account|storage|session|deploy|app|application|consumer|client|service|preshared|webhook|zugriffs|geheimer|privater)[ _-]?$/i;

/** A link between a name and its value; the scripts that set no spaces set none here. */
export const link = new RegExp(
  `(?:(?<![\\p{L}\\d_])(?:${[english, spanish, german, french].flatMap(({ links }) => links).join('|')})(?![\\p{L}\\d_'-])|${chinese.links.join('|')})`,
  'giu',
);

/** A link that needs one of `changeBefore` before the name. */
export const changeLink = new RegExp(
  `(?<![\\p{L}\\d_])(?:${languages.flatMap(({ changes }) => changes.links).join('|')})(?![\\p{L}\\d_'-])`,
  'iu',
);

/** A verb of changing with few words after it, up to the name. */
export const changeBefore = new RegExp(
  `(?:^|[^\\p{L}])(?:${languages.flatMap(({ changes }) => changes.verbs).join('|')})(?:[ \\t]+[\\p{L}’']{1,16}){0,4}[ \\t]*$`,
  'iu',
);

/** What comes before a name whose value follows at once, up to the name. */
export const verbBefore = new RegExp(`(?:^|[^\\p{L}])(?:${all('verbs')})(?:[ \\t]+[\\p{L}]{1,12}){0,2}[ \\t]*$`, 'iu');

/** A word that describes a secret, or that code has in its place. */
export const ordinary = new RegExp(
  `^(?:${languages.flatMap((each) => each.ordinary).join('|')}|${all('passwords')})$`,
  'iu',
);

/** Endings of words that describe a secret: `encrypted`, `vergessen`. */
export const ordinaryEnding = /(?:ed|ing|able|ible|ful|less|ive|ous|ary|ly|ado|ada|ido|ida|iert|bar|lich|ée?|ant)$/iu;
