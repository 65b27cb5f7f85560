/**
 * What rules need to know of a language, one row a language: nothing else in the extraction of instructions and of
 * claims depends on one. A further language is a further row.
 */
interface LanguageCues {
  /** Opens or carries a standing order: a ban, a duty, a preference. */
  orders: RegExp;
  /** Binds one moment only: "not yet", "for now". */
  passing: RegExp;
  /** Claims that a check succeeded. */
  passes: RegExp;
}

const languages: Readonly<Record<string, LanguageCues>> = {
  en: {
    orders:
      /\b(?:never|always|do not|don['’]t (?!know|think|see|understand|get\b|worry|have|care|forget|mind|remember|like it|i\b|you\b|we\b)|must(?: not|n['’]t)?|from now on|make sure|only ever|at all times|no matter what|under no circumstances|remember to|be sure to|(?:i|we) (?:always|never) want|stick to|keep (?:it|things|everything|the \w+) |prefer(?:ably)?\b|i(?:['’]d| would) (?:prefer|rather)|please (?:avoid|use|keep|do not|don['’]t)|avoid \w+ing|without (?:any )?\w+ing|should (?:never|always|not)|shouldn['’]t|no (?:new|more|extra|external) )\b/i,
    passing: /\b(?:yet|for now|right now|this time|just now|at the moment)\b/i,
    passes:
      /\b(?:tests?|checks?|build|lint|suite|types?|everything)\b.{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ok)\b/i,
  },
  de: {
    orders:
      /(?<![\p{L}])(?:nie|niemals|immer|keinesfalls|auf keinen fall|nicht vergessen|ab (?:jetzt|sofort)|bitte (?:nicht|kein\w*|immer|nur)|(?:darf|dürfen|soll|sollst|sollen|muss|müssen)(?: \p{L}+){0,3} (?:nicht|kein\w*|immer)|verwende nur|benutze nur|nur mit|ausschließlich)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:noch nicht|erstmal|im moment|diesmal)(?![\p{L}])/iu,
    passes: /(?:tests?|prüfung\w*|build)(?: \p{L}+){0,4} (?:grün|bestanden|laufen durch|erfolgreich|fehlerfrei)/iu,
  },
  fr: {
    orders:
      /(?<![\p{L}])(?:jamais|toujours|surtout pas|il (?:ne )?faut|tu (?:ne )?dois|ne \p{L}+ pas|n['’]\p{L}+ pas|désormais|à partir de maintenant|uniquement|obligatoirement|évite[sz]?|assure-toi)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:pas encore|pour (?:le moment|l['’]instant)|cette fois)(?![\p{L}])/iu,
    passes: /(?:tests?|build|compilation)(?: \p{L}+){0,4} (?:passent|passe|réussi\w*|verts?|au vert|ok)/iu,
  },
  es: {
    orders:
      /(?<![\p{L}])(?:nunca|jamás|siempre|no (?:uses|hagas|toques|cambies|borres|agregues|añadas|crees|modifiques|escribas|ejecutes)|debe[ns]?|hay que|tiene[ns]? que|a partir de ahora|asegúrate|evita|solamente|únicamente)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:todavía no|por ahora|de momento|esta vez)(?![\p{L}])/iu,
    passes: /(?:pruebas?|tests?|compilación)(?: \p{L}+){0,4} (?:pasan|pasa|exitos\w*|correctamente|verdes?)/iu,
  },
  zh: {
    orders: /不要|别(?!的|人)|请勿|切勿|禁止|不能|不得|必须|务必|一定要|始终|总是|永远|只能|只用|以后都|记得|确保|避免/,
    passing: /先不|暂时|暂不|这次|目前/,
    passes: /(?:测试|检查|构建|编译|用例).{0,12}(?:通过|成功|全绿)/,
  },
  ja: {
    orders:
      /しないで|するな|禁止|必ず|絶対|常に|いつも|てはいけない|てはならない|べき|のみ(?:使|で)|なければならない|避けて|忘れず/,
    passing: /まだ|今は|とりあえず|今回/,
    passes: /(?:テスト|ビルド|チェック).{0,12}(?:通|成功|パス|グリーン)/,
  },
  ru: {
    orders:
      /(?<![\p{L}])(?:никогда|всегда|нельзя|не надо|не нужно|обязательно|должн\p{L}+|запрещ\p{L}+|не (?:трогай|меняй|удаляй|используй|делай|пиши|создавай|добавляй)|только|избегай|следи)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:пока|сейчас|в этот раз)(?![\p{L}])/iu,
    passes:
      /(?:тест\p{L}*|сборк\p{L}+|проверк\p{L}+)(?: \p{L}+){0,4} (?:проход\p{L}+|прошл\p{L}+|успешн\p{L}+|зел\p{L}+)/iu,
  },
};

const all = Object.values(languages);

/** Whether a sentence gives a standing order, in whichever language. */
export function givesOrder(sentence: string): boolean {
  return all.some(({ orders, passing }) => orders.test(sentence) && !passing.test(sentence));
}

/** Whether a sentence claims that a test, a build or another check succeeded. */
export function claimsSuccess(sentence: string): boolean {
  return all.some(({ passes }) => passes.test(sentence));
}
