import { searchForStarts } from './literal-starts.ts';

/**
 * The words by which people and programs announce a secret, as data: a language is added by a row. Entries are sources of
 * regular expressions, matched without regard to letter case. A blank in a name stands for any joint: `mot de passe` is
 * `MOT_DE_PASSE`, too.
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
  /** What comes before the thing that it opens: "password for the database: X". */
  purposes: readonly string[];
  /** What links them only after a verb of changing: "set the password to X". */
  changes: { verbs: readonly string[]; links: readonly string[] };
  /** What comes before a value that follows at once: "with password X". */
  verbs: readonly string[];
  /** What asks for the value of a name that follows within a few words: "what is the", "please send me the". */
  asks: readonly string[];
  /** What asks for it after the name, in the scripts that set no spaces. Default: nothing. */
  asksAfter?: readonly string[];
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
    'key(?!pass)',
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
  purposes: ['for', 'of', 'on', 'to'],
  changes: {
    verbs: ['set', 'sett?ing', 'reset', 'chang(?:e|ed|ing)', 'updat(?:e|ed|ing)', 'rotated?'],
    links: ['to', 'as'],
  },
  verbs: ['use', 'using', 'with', 'try', 'enter', 'type', 'and', 'password'],
  asks: [
    "what(?:[’']?s| is| are| was| will be| should be)?",
    'which',
    '(?:please|(?:can|could|would|will) you(?: please)?|you (?:must|should|need to|have to)|^) ?(?:give|send|tell|provide|paste|enter|type|share|supply|specify|post)(?: (?:me|us|in|here))?',
    '(?:give|send|tell|hand) (?:me|us)',
    'do you have',
    '(?:can|may|could) (?:i|we) (?:have|get)',
    "(?:i|we)(?:[’']ll| will| still| also)? (?:need|require|want)",
  ],
  ordinary: [
    'wrong|correct|written|chosen|forgotten|broken|stolen|spoken|found|seen|unset|part|subject|worth|incorrect|invalid|valid|missing|empty|blank|required|optional|weak|strong|unknown|known|safe|secure|insecure|hidden|plain|plaintext|present|absent|public|private|local|remote|unique|different|equal|same|sensitive|random|short|long|late|fine|good|bad|here|there|this|that|these|those|what|when|where|which|whose|also|only|never|always|still|just|then|than|with|from|into|over|under|about|like|used|sent|kept|read|shown|lost|gone|done|made|given|taken|known|held|built|left|true|false|null|none|undefined|string|text|number|boolean|bool|integer|object|array|varchar|char|bytes|any|never|unknown|void|optional|nullable|type|value|input|field|flag|option|argument|parameter|variable|default|example|placeholder|password|passwd|pass|passphrase|secret|token|user|username|admin|root|email|name|label|test|todo|fixme|fail|failed|failure|skip|success|error|warn|pending|prompt|ask|env|file|stdin|stdout|current|later|soon|yours|mine|ours|enabled|disabled|yes|no|not|and|the|our|your|their|because|bearer|basic|digest|nothing|something|everything|anything|important|necessary|enough|protected|base64|utf-?8|sha256|sha512|sha1|md5|bcrypt|scrypt|argon2|argon2id|pbkdf2|oauth2|ed25519|es256|hs256|rs256|ipv4|ipv6|http2|x509',
  ],
};

const spanish: LanguageWords = {
  passwords: ['contrase(?:ñ|n|n\u0303)as?', 'clave'],
  keys: ['clave (?:de api|de acceso|secreta|privada)', 'ficha de acceso'],
  logins: ['credenciales', 'usuario'],
  links: ['es', 'era', 'ser[áa]', 'son', 'sigue siendo'],
  purposes: ['del?', 'para', 'en'],
  changes: { verbs: ['cambi\\p{L}+', 'pon\\p{L}*', 'actuali\\p{L}+'], links: ['a', 'por'] },
  verbs: ['con', 'usa', 'usar', 'usando', 'y'],
  asks: [
    'cu[áa]l(?:es)? (?:es|son|ser[áa])',
    'qu[ée](?! les )',
    '(?:dame|dime|p[áa]same|env[íi]ame|necesito|necesitamos)',
    '(?:por favor,?|^) ?(?:escribe|introduce|indica|ingresa|proporciona)',
    'puedes (?:darme|enviarme|pasarme|decirme)',
  ],
  ordinary: [
    'incorrecta?|correcta?|obligatori[ao]|requerid[ao]|inv[áa]lid[ao]|v[áa]lid[ao]|vac[íi][ao]|d[ée]bil|fuerte|segur[ao]|secret[ao]|nul[ao]|cadena|texto|que|una?|la|el|muy|nueva|vieja|siempre|nunca',
  ],
};

const chinese: LanguageWords = {
  passwords: ['密码', '密碼', '口令'],
  keys: ['密钥', '密鑰', '令牌', '私钥'],
  logins: ['账号', '帐号', '账户', '凭据', '凭证'],
  links: ['是', '为', '為', '叫', '改成', '改为', '设为', '设置为', '就是'],
  purposes: [],
  changes: { verbs: [], links: [] },
  verbs: ['用', '使用', '输入'],
  asks: ['请(?:提供|输入|告诉我|给我|发)', '需要', '给我'],
  asksAfter: ['是什么', '是多少', '是啥', '发给我', '告诉我', '呢'],
  ordinary: [],
};

const german: LanguageWords = {
  passwords: ['passw(?:o|ö)rte?r?', 'kennwort', 'zugangscode'],
  keys: ['schl(?:ü|ue)ssel'],
  logins: ['zugangsdaten', 'anmeldedaten', 'benutzer'],
  links: ['ist', 'war', 'lautet', 'lautete', 'hei(?:ß|ss)t', 'sind', 'wird'],
  purposes: ['für', 'von', 'der', 'des', 'zum', 'zur'],
  changes: { verbs: ['setz\\p{L}*', '(?:ge)?änder\\p{L}*'], links: ['auf'] },
  verbs: ['mit', 'nimm', 'benutze', 'verwende', 'und'],
  asks: [
    'wie (?:lautet|lauten|ist|hei(?:ß|ss)t)',
    'was ist',
    'welche[sr]?',
    '(?:gib|gebt|geben sie|nenne?|nennen sie|schicke?|sage?)(?: mir| uns)?(?: bitte)?',
    '(?:ich|wir) (?:brauchen?|benötigen?)(?: noch)?',
    'bitte',
    '(?:kannst du|können sie|könntest du)(?: mir| uns)?(?: bitte)?',
    'hast du|haben sie',
  ],
  ordinary: [
    'falsch|richtig|korrekt|ung[üu]ltig|g[üu]ltig|leer|erforderlich|optional|n[öo]tig|schwach|stark|sicher|unsicher|geheim|bekannt|unbekannt|abgelaufen|nicht|eine?|der|die|das|auch|noch|immer|dort|hier|lang|kurz|gleich|dasselbe|verschl[üu]sselt|gehasht',
  ],
};

const french: LanguageWords = {
  passwords: ['mots? de passe', 'mdp', "code d[’']acc[èe]s"],
  keys: ["cl(?:é|e|e\u0301) (?:d[’']?api|secr[èe]te|priv[ée]e|d[’']acc[èe]s)", 'jeton'],
  logins: ['identifiants?', 'utilisateur'],
  links: ['est', '[ée]tait', 'sera', 'sont', 'reste'],
  purposes: ['de', 'du', 'des', 'pour'],
  changes: { verbs: ['mets', 'mettre', 'mis', 'chang\\p{L}+'], links: ['à', 'en', 'par'] },
  verbs: ['avec', 'utilise', 'utilisez', 'utiliser', 'et'],
  asks: [
    'quel(?:le)?s?(?: est| sont)?',
    '(?:donne|envoie|indique|passe|dis)[sz]?[ -]moi',
    "(?:j[’']ai|nous avons) besoin d[ue]",
    'il (?:me|nous) faut',
    '(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous)(?: me| nous)? (?:donner|envoyer|fournir|indiquer)',
    '(?:entrez|saisissez|indiquez|fournissez)',
  ],
  ordinary: [
    'incorrect|correct|faux|fausse|invalide|valide|vide|obligatoire|requis|optionnel|faible|fort|s[ûu]r|secr[èe]te?|inconnu|connu|expir[ée]e?|pas|une?|le|la|toujours|trop|aussi|ici|cha[îi]ne|texte|nul',
  ],
};

const portuguese: LanguageWords = {
  passwords: ['senhas?', 'palavra passe'],
  keys: ['chave (?:de api|de acesso|da api|secreta|privada)'],
  logins: ['credenciais', 'usu[áa]rio'],
  links: ['é', 'ser[áa]', 's[ãa]o'],
  purposes: ['d[eoa]s?', 'para', 'n[oa]'],
  changes: { verbs: ['mud\\p{L}+', 'troc\\p{L}+', 'alter\\p{L}+'], links: ['para', 'por'] },
  verbs: ['com', 'use'],
  asks: [
    'qual (?:é|ser[áa])',
    'quais s[ãa]o',
    'que(?! les )',
    // "De" alone is "of" in French and Spanish, and "the" in Dutch.
    'me de|de(?= (?:me|o|os|as?|seu|sua) )|de-me',
    '(?:me )?(?:dê|diga|envie|passe|informe|forne[çc]a|digite)(?:-me)?',
    'preciso d[aeo]s?',
    'pode (?:me )?(?:dar|enviar|passar|informar)',
  ],
  ordinary: [
    'incorret[ao]|corret[ao]|errad[ao]|inv[áa]lid[ao]|v[áa]lid[ao]|obrigat[óo]ri[ao]|vazi[ao]|frac[ao]|segur[ao]|fortes?|secreta|nov[ao]|n[ãa]o|muito|sempre|nunca|aqui|texto|nul[ao]',
  ],
};

const italian: LanguageWords = {
  passwords: ["parola d[’']?ordine", 'parola chiave', 'parola', 'codice (?:di accesso|segreto)'],
  keys: ["chiave (?:api|segreta|privata|d[’']accesso)"],
  logins: ['credenziali', 'utente'],
  links: ['è', 'sono', 'resta', 'rimane'],
  purposes: ['d(?:i|el|ella|ello|ei)', 'per'],
  changes: { verbs: ['cambi\\p{L}*', 'impost\\p{L}+'], links: ['in', 'a', 'su'] },
  verbs: ['usa', 'usare'],
  asks: [
    'qual (?:è|era)',
    'quale?',
    '(?:dammi|dimmi|inviami|passami|fornisci|inserisci)',
    'mi serve|ho bisogno d\\p{L}{1,4}',
    'puoi (?:darmi|inviarmi|passarmi)',
  ],
  ordinary: [
    'sbagliat[ao]|corrett[ao]|errat[ao]|non|valid[ao]|vuot[ao]|obbligatori[ao]|debole|forte|sicur[ao]|segret[ao]|nuov[ao]|sempre|ancora|una?|chiave|testo|null[ao]',
  ],
};

const dutch: LanguageWords = {
  passwords: ['wachtwoord(?:en)?', 'toegangscode', 'wachtzin'],
  keys: ['api sleutel', 'toegangssleutel', 'geheime sleutel'],
  logins: ['inloggegevens', 'gebruiker'],
  links: ['is', 'wordt', 'luidt', 'blijft'],
  purposes: ['voor', 'van'],
  changes: { verbs: ['wijzig\\p{L}*', 'verander\\p{L}*', 'zet'], links: ['naar', 'in'] },
  verbs: ['met', 'gebruik'],
  asks: [
    'wat (?:is|zijn)',
    'welke?',
    '(?:geef|stuur|vertel)(?: me| mij| ons)?',
    '(?:voer|vul)',
    '(?:kun|kan) je(?: me)?',
    'ik heb',
  ],
  ordinary: [
    'fout|onjuist|juist|verkeerd|ongeldig|geldig|leeg|verplicht|optioneel|zwak|sterk|veilig|onveilig|geheim|bekend|onbekend|verlopen|niet|een|nog|altijd|hier|daar',
  ],
};

const polish: LanguageWords = {
  passwords: ['hasł[oaeu]m?', 'haslo', 'hasla'],
  keys: ['klucz (?:api|prywatny|dost[ęe]pu|tajny)'],
  logins: ['dane logowania', 'u[żz]ytkownik'],
  links: ['jest', 'brzmi', 'pozostaje'],
  purposes: ['do', 'dla', 'na'],
  changes: { verbs: ['zmie[ńn]\\p{L}*', 'ustaw\\p{L}*'], links: ['na'] },
  verbs: ['z', 'u[żz]yj'],
  asks: [
    'jakie(?: jest| s[ąa])?',
    'jaki(?: jest)?',
    '(?:podaj|wy[śs]lij|wpisz|daj|prze[śs]lij)(?: mi)?',
    'potrzebuj[ęe]',
  ],
  ordinary: [],
};

const russian: LanguageWords = {
  passwords: ['парол(?:ь|я|и|ей|ем|ю|е)', 'кодовое слово'],
  keys: ['токен', 'ключ (?:api|апи|доступа)', 'секретный ключ', 'api ключ'],
  logins: ['логин', 'уч[её]тные данные'],
  links: ['это', 'теперь', '(?:от|для|к)(?: \\p{L}{1,20}){1,2}'],
  purposes: ['от', 'для', 'к', 'на', 'в'],
  changes: { verbs: ['смени\\p{L}*', 'измени\\p{L}*', 'поменя\\p{L}*'], links: ['на'] },
  verbs: ['с', 'используй\\p{L}*', 'введи\\p{L}*'],
  asks: [
    'как(?:ой|ов|ие|овы)',
    '(?:дай|дайте|пришли|пришлите|введи|введите|назови|назовите|скажи|скажите|укажи|укажите)(?: мне)?',
    '(?:нужен|нужны|нужно)',
  ],
  ordinary: [],
};

const japanese: LanguageWords = {
  passwords: ['パスワード', 'パスフレーズ', '暗証番号'],
  keys: ['トークン', 'アクセスキー', 'シークレット', '秘密鍵', 'api キー'],
  logins: ['ログイン', 'アカウント'],
  links: ['は', 'が'],
  purposes: [],
  changes: { verbs: [], links: [] },
  verbs: [],
  asks: [],
  asksAfter: ['は(?:何|なん)', 'を(?:教え|入力|送|くださ|提供)', 'は(?=[?？])'],
  ordinary: [],
};

const korean: LanguageWords = {
  passwords: ['비밀 번호', '패스워드', '암호'],
  keys: ['토큰', '비밀 키', 'api 키', '액세스 키'],
  logins: ['로그인', '계정'],
  links: ['은', '는', '이', '가'],
  purposes: [],
  changes: { verbs: [], links: [] },
  verbs: [],
  asks: [],
  asksAfter: ['(?:은|는|이|가) ?(?:무엇|뭐|뭔가)', '(?:을|를) ?(?:알려|입력|보내|제공|주)'],
  ordinary: [],
};

/** Only the word for a password, of languages that have no row of their own. */
const others = [
  'lösenord(?:et)?',
  'adgangskode(?:n)?',
  'passord(?:et)?',
  'salasana',
  'heslo',
  'jelsz[óo]',
  'lozinka',
  'geslo',
  'парола',
  'лозинка',
  'şifre',
  'sifre',
  'parolă',
  'mật khẩu',
  'kata sandi',
  'รหัสผ่าน',
  'كلمة (?:المرور|السر)',
  'סיסמה',
  'κωδικός',
  'पासवर्ड',
];

/** Languages whose words have spaces between them, and those whose words have none. */
const spaced = [english, spanish, german, french, portuguese, italian, dutch, polish, russian];
const unspaced = [chinese, japanese, korean];
const languages = [...spaced, ...unspaced];

const partOf = (part: Exclude<keyof LanguageWords, 'changes'>) => languages.flatMap((language) => language[part] ?? []);

/** The longest first: `pass` must not hide `passwort`. */
const alternatives = (sources: readonly string[]) => sources.toSorted((a, b) => b.length - a.length).join('|');

/** Settings spell a name of several words with `_` or `-`, or in one word. */
const joinable = (sources: readonly string[]) => sources.map((source) => source.replaceAll(/ \??/g, '[ _-]?'));

const passwords = joinable([...partOf('passwords'), ...others]);
const keys = joinable(partOf('keys'));
const logins = joinable(partOf('logins'));

/** Every name of a secret, by its sort; tried where `cueStart` stops. */
export const cue = new RegExp(
  `(?<key>${alternatives(keys)})|(?<password>${alternatives(passwords)})|(?<login>${alternatives(logins)})`,
  'yi',
);

/** Where a name of a secret may begin, also within what begins as another, and masks, which are passed over. */
export const cueStart = new RegExp(
  `\\[masked:[a-z0-9-]{1,30}\\]|(?=${searchForStarts([...passwords, ...keys, ...logins]).source})`,
  'gi',
);

/** What makes a key a secret one, before the word. */
export const keyQualifier =
  /(?:api|access|secret|private|signing|encryption|master|auth|license|account|storage|session|deploy|app|application|consumer|client|service|preshared|webhook|zugriffs|geheimer|privater|openai|azure|anthropic|gemini|mistral|cohere|stripe|twilio|sendgrid|mailgun|datadog|algolia|subscription)[ _-]?$/i;

/** The same in a variable of a shell: of any service, but not of a table, a cache or a pair's public half. */
export const keyOfVariable =
  /(?<![A-Z])(?!(?:PUBLIC|PUB|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|ROW|HASH|RANGE|IDEMPOTENCY|ROUTING|LOCK|INDEX|MAP|OBJECT|S3|FILE|GROUP|TRANSLATION|KNOWN|HOST)_)[A-Z][A-Z0-9]{0,16}_$/;

/** A link between a name and its value; the scripts that set no spaces set none here. */
export const link = new RegExp(
  `(?:(?<![\\p{L}\\d_])(?:${spaced.flatMap(({ links }) => links).join('|')})(?![\\p{L}\\d_'-])|${unspaced.flatMap(({ links }) => links).join('|')})`,
  'giu',
);

/** What a name is for, up to the colon before its value: " for the database:". */
export const purpose = new RegExp(
  `^[ \\t]+(?:${alternatives(partOf('purposes'))})(?:[ \\t]+[\\p{L}\\d_.’'-]{1,24}){1,4}[ \\t]*[:：=][ \\t]*`,
  'iu',
);

/** Up to a name: what asks for its value, with few words between that begin no clause of their own. */
export const askBefore = new RegExp(
  `(?:(?<![\\p{L}\\d_])(?:${alternatives(spaced.flatMap(({ asks }) => asks))})(?:[ \\t]+(?!(?:to|if|how|when|where|whether|that|why|who)[ \\t])[\\p{L}\\d’'._/-]{1,24}){0,5}[ \\t]+["'\`“„«*(]{0,3}(?:[\\p{L}\\d]{1,20}-?)?|(?:${alternatives(unspaced.flatMap(({ asks }) => asks))})[^\\s。！？]{0,16})$`,
  'iu',
);

/** After a name: what asks for its value, or what keeps it the thing that is asked for, as an end or a preposition. */
export const askAfter = new RegExp(
  `^(?:${alternatives(partOf('asksAfter'))}|["'\`”»)*]{0,4}(?:[ \\t]*(?:[?？:：.!,;，。]|$)|[ \\t]+(?:${alternatives(partOf('purposes'))}|(?:at|that|with|should|shall|must|do|does|did|will|would|can|could|i|we|you|is|are|and|or|here|now|please|so|then|first|und|oder|soll|sollen|ich|wir|bitte|hier|ein|an|geben|nennen|schicken|eingeben|senden|y|o|debo|et|ou|dois|e|ed|devo|en|moet|i|и)(?![\\p{L}\\d_-]))))`,
  'iu',
);

/** A question of a name and what it is for alone: "Password for the server?" */
export const askAlone = new RegExp(
  `^[ \\t]*(?:[ \\t]+(?:${alternatives(partOf('purposes'))})(?:[ \\t]+[\\p{L}\\d_.’'-]{1,24}){1,5})?["'\`”»)*]{0,4}[ \\t]*[?？:：]`,
  'iu',
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
export const verbBefore = new RegExp(
  `(?:^|[^\\p{L}])(?:${alternatives(partOf('verbs'))})(?:[ \\t]+[\\p{L}]{1,12}){0,2}[ \\t]*$`,
  'iu',
);

/** A word that describes a secret, or that code has in its place. */
export const ordinary = new RegExp(`^(?:${partOf('ordinary').join('|')}|${alternatives(passwords)})$`, 'iu');

/** Endings of words that describe a secret: `encrypted`, `vergessen`. */
export const ordinaryEnding = /(?:ed|ing|able|ible|ful|less|ive|ous|ary|ly|ado|ada|ido|ida|iert|bar|lich|ée?|ant)$/iu;
