/** How languages attribute words to somebody else, one row a language. The person and the agent are nobody else. */
interface AttributionCues {
  /** Somebody says something: "my boss said", "Ann suggests". */
  says: RegExp;
  /** Right before a colon, a thing that holds a text: "the wiki page says", "the readme of the lib". */
  holds: RegExp;
  /** A text is from somebody else: "the ticket the customer filed", "the mail from Sven", "I did not write it". */
  isFrom: RegExp;
  /** Opens a clause that makes another's words the person's own: "as Ann said"; absent where the language has none. */
  adopts?: RegExp;
  /** Goes on with the person's own words in the same sentence: ", but REST stays". */
  goesOn: RegExp;
  /** Asks to carry a text out, so that the person wants what it says: "please implement". */
  carriesOut: RegExp;
}

const people = {
  en: '(?:customer|client|consultant|boss|manager|lead|reviewer|colleague|coworker|team|designer|owner|user|auditor|architect|vendor|admin|tester|developer|engineer|director|ceo|cto|cfo|pm|po|qa|ops|product|support|marketing|sales|legal|security)',
  de: '(?:kundin|kunde|chefin|chef|berater(?:in)?|kolleg(?:e|in|en)|team|leitung|prüfer(?:in)?|vertrieb|produkt|betrieb|anwender(?:in)?|architekt(?:in)?)',
  fr: '(?:client(?:e)?|chef(?:fe)?|patron(?:ne)?|consultant(?:e)?|collègue|équipe|produit|relecteur|designer|auditeur|architecte)',
  es: '(?:cliente|jef[ea]|consultora?|compañer[oa]|colega|equipo|producto|revisora?|diseñadora?|auditora?|arquitect[oa])',
  zh: '(?:客户|老板|领导|同事|经理|产品经理|产品|顾问|运维|设计师|测试|架构师|用户|甲方)',
  ja: '(?:お客様|お客さん|顧客|上司|部長|課長|社長|同僚|チーム|コンサルタント|レビュアー|先輩)',
  ru: '(?:заказчик|клиент|начальник|шеф|босс|коллега|консультант|команда|менеджер|тестировщик|архитектор|дизайнер)',
} as const;

/** Nouns for a text that somebody writes. */
const texts = {
  en: '(?:e-?mail|mail|message|ticket|issue|comments?|review|feedback|notes?|description|proposal|post|letter|request|report|list|suggestions?|text|memo|brief|answer|reply)',
  de: '(?:mail|nachricht|ticket|kommentar|notiz|vorschlag|beschreibung|feedback|text|brief|anfrage)',
  fr: '(?:mail|message|ticket|commentaire|note|avis|proposition|description|texte|courrier)',
  es: '(?:correo|mensaje|ticket|comentario|nota|propuesta|descripción|texto|carta)',
  ru: '(?:письмо|сообщение|тикет|комментарий|заметка|отзыв|описание|предложение)',
} as const;

/** Things that hold a text somebody else wrote. */
const things = {
  en: '(?:readme(?:\\.md)?|README(?:\\.md)?|docs?|documentation|wiki|page|website|site|article|blog|post|guide|manual|tutorial|changelog|policy|thread|handbook)',
  de: '(?:readme|README|[Dd]oku(?:mentation)?|[Ww]iki|[\\p{L}-]*[Ss]eite|[Aa]rtikel|[Aa]nleitung|[Hh]andbuch|[Rr]ichtlinie|[Bb]log)',
  fr: '(?:readme|README|documentation|doc|wiki|page|site|article|guide|manuel|tutoriel|blog)',
  es: '(?:readme|README|documentación|wiki|página|sitio|artículo|guía|manual|tutorial|blog)',
  ru: '(?:[Дд]окументаци|[Сс]траниц|[Вв]ики|[Сс]тать|[Сс]айт|[Рр]уководств|readme|README)',
} as const;

/** One or two words with a capital that are no pronoun and open no clause. */
const name =
  '(?!(?:As|Like|If|When|Because|Since|But|And|So|Also|Wie|Wenn|Comme|Quand|Como|Cuando|Как|Если|Но) |I |It |This |That |There |You |We |What |Who |Which |Nobody |Ich |Es |Das |Du |Wir |Wer |Je |Tu |Vous |Nous |Yo |Tú |Я |Ты |Вы |Мы |Это )\\p{Lu}[\\p{Ll}-]+(?: \\p{Lu}[\\p{Ll}.-]+)?';

const languages: Readonly<Record<keyof typeof people, AttributionCues>> = {
  en: {
    says: cue(
      `(?:[Hh]e|[Ss]he|[Tt]hey|[Ss]ome(?:one|body)|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[\\p{L}-]+ ){1,3}?|(?:[Tt]he|[Aa]n?|[Oo]ne|[Ss]ome|[Aa]nother) (?:[\\p{L}-]+ )??(?:${anyCase(people.en)})s? |${name})(?:(?: from| in| of) \\p{L}+)? ?(?:(?:has|have|had|also|just|then|already|even|really|once|keeps?|kept|\\p{L}+ly) )*(?:says|said|saying|writes|wrote|written|suggests|suggested|proposes|proposed|thinks|believes|insists|insisted|claims|claimed|argues|argued|recommends|recommended|commented|replies|replied|demands|demanded|told (?:me|us))(?![\\p{L}])|[Tt]hey (?:say|write|suggest|think|claim|insist)(?![\\p{L}])`,
    ),
    holds: cue(
      `(?:[Tt]h(?:e|is)|[Ii]ts|[Tt]heir|[Oo]ur) (?:[\\p{L}\\p{N}_./-]+ ){0,3}?(?:${things.en})(?: (?:of|from|for|in|on|about) [^.!?:]{1,40})?(?: (?:now |also |just )?(?:says?|said|reads?|states?|stated|writes?|tells? (?:me|us)|claims?))?(?: (?:this|that|the following))? ?$|(?:(?:[Tt]h(?:e|is)|[Ii]ts|[Oo]ur) (?:[\\p{L}\\p{N}_./-]+ ){1,4}?)(?:says|said|reads|states|stated)(?: this| that| the following)? ?$`,
    ),
    isFrom: cue(
      `(?:${anyCase(people.en)}s?|${name}|[Hh]e|[Ss]he|[Tt]hey) (?:(?:has|have|had|just|also) )*(?:filed|sent|posted|opened|left|raised|submitted|mailed|emailed|forwarded|wrote|written|said|says|writes)(?![\\p{L}])|${anyCase(texts.en)} (?:from|by) (?:(?:the|my|our|a|an) )?(?:${anyCase(people.en)}|${name})|(?:did not|didn['’]t|have not|haven['’]t) (?:write|written)|not (?:written by me|by me|mine)(?![\\p{L}])`,
    ),
    adopts: cue(
      '(?:[Aa]s|[Ll]ike|[Ww]hat(?:ever)?|[Tt]han|[Ii]f|[Ww]hen|[Bb]ecause|[Ss]ince|[Uu]nless|[Uu]ntil|[Aa]fter|[Bb]efore|[Ee]verything)(?: \\p{L}+)? $',
    ),
    goesOn: /[,;–—-] ?(?:but|so|yet|let['’]?s|still|please)(?![\p{L}])/iu,
    carriesOut:
      /(?<!n['’]t |not |never )(?<![\p{L}])(?:implement|address|fix|apply|build|follow|handle|work (?:on|through)|carry out|do (?:it|them|this|these|that|all|exactly|what))(?![\p{L}])/iu,
  },
  de: {
    says: cue(
      `(?:[Ee]r|[Ss]ie|[Jj]emand|(?:[Mm]ein|[Uu]nser|[Ss]ein|[Ii]hr)e?r? \\p{L}+|(?:[Dd]er|[Dd]ie|[Dd]as|[Ee]ine?) (?:${anyCase(people.de)})|${name}) (?:hat |auch |gerade |immer )*(?:sagte?|meinte?|meint|schreibt|schrieb|schlägt vor|schlug vor|behauptet|findet|fordert|empfiehlt|gesagt|geschrieben|vorgeschlagen|gemeint)(?![\\p{L}])|(?:[Ll]aut|[Nn]ach Meinung von) (?:${name}|(?:dem|der|unserem|meinem) \\p{L}+)`,
    ),
    holds: cue(
      `(?:[Dd](?:er|ie|as)|[Dd]iese[rs]?|[Ii]n (?:der|dem)|[Ii]m) (?:[\\p{L}-]+ ){0,2}?(?:${things.de})(?: (?:von|vom|der|des|zu|zum|zur) [^.!?:]{1,40})?(?: (?:sagt|schreibt|besagt|lautet|steht|meldet)(?: (?:das|folgendes))?)? ?$`,
    ),
    isFrom: cue(
      `(?:${anyCase(people.de)}|${name}) (?:hat )?(?:\\p{L}+ ){0,3}(?:geschrieben|geschickt|gesagt|gemeldet|eröffnet|schrieb|schreibt|sagt|meint)(?![\\p{L}])|${anyCase(texts.de)} (?:von|vom) (?:(?:der|dem|meinem|unserem) )?(?:${anyCase(people.de)}|${name})|nicht von mir(?![\\p{L}])`,
    ),
    adopts: cue('(?:[Ww]ie|[Ww]as|[Ww]enn|[Ww]eil|[Dd]a|[Aa]ls|[Oo]b)(?: \\p{L}+)? $'),
    goesOn: /, ?(?:aber|also|doch|trotzdem|lass uns|bitte)(?![\p{L}])/iu,
    carriesOut:
      /(?:setz\p{L}* .{0,40}um|umsetzen|implementier\p{L}*|behebe?n?|erledige?n?|baue?n? .{0,40}ein|folge)(?![\p{L}])(?! nicht)/iu,
  },
  fr: {
    says: cue(
      `(?:[Ii]ls?|[Ee]lles?|[Qq]uelqu['’]un|(?:[Mm]on|[Mm]a|[Nn]otre|[Ss]on|[Ll]eur) \\p{L}+|(?:[Ll]e|[Ll]a|[Ll]['’]|[Uu]ne?) ?(?:${anyCase(people.fr)})|${name}) (?:m['’]|nous )?(?:a |ont )?(?:dit|écrit|écrivait|propose|proposé|suggère|suggéré|pense|affirme|affirmé|prétend|recommande|insiste)(?![\\p{L}])|[Ss]elon (?:${name}|(?:le|la|mon|notre) \\p{L}+)`,
    ),
    holds: cue(
      `(?:[Ll](?:e|a|es)|[Cc]e(?:t|tte)?|[Ll]['’]) ?(?:[\\p{L}-]+ ){0,2}?(?:${things.fr})(?: (?:de|du|des|sur) [^.!?:]{1,40}?)?(?: (?:dit|indique|précise|affirme)(?: (?:ceci|que))?)? ?$`,
    ),
    isFrom: cue(
      `(?:${anyCase(people.fr)}|${name}) (?:m['’]|nous )?(?:a |ont )?(?:écrit|envoyé|dit|posté|ouvert|déposé)(?![\\p{L}])|${anyCase(texts.fr)} (?:de|du|d['’]) ?(?:(?:la|mon|notre|l['’]) ?)?(?:${anyCase(people.fr)}|${name})|pas (?:de moi|écrit par moi)(?![\\p{L}])`,
    ),
    adopts: cue("(?:[Cc]omme|[Cc]e qu[e'’]|[Qq]uand|[Ss]i|[Pp]arce qu[e'’])(?: \\p{L}+)? ?$"),
    goesOn: /, ?(?:mais|donc|alors)(?![\p{L}])/iu,
    carriesOut:
      /(?<![\p{L}])(?:implémente[rz]?|corrige[rz]?|applique[rz]?|réalise[rz]?|fais(?:-le)?|suis)(?![\p{L}])(?! pas)/iu,
  },
  es: {
    says: cue(
      `(?:[Éé]l|[Ee]lla|[Ee]llos|[Aa]lguien|(?:[Mm]i|[Nn]uestr[oa]|[Ss]u) \\p{L}+|(?:[Ee]l|[Ll]a|[Uu]na?) (?:${anyCase(people.es)})|${name}) (?:me |nos |ha )*(?:dice|dijo|dicho|escribe|escribió|escrito|sugiere|sugirió|propone|propuso|opina|cree|afirma|recomienda|insiste)(?![\\p{L}])|[Ss]egún (?:${name}|(?:el|la|mi|nuestr[oa]) \\p{L}+)`,
    ),
    holds: cue(
      `(?:[Ee]l|[Ll]as?|[Ll]os|[Ee]st[ea]) (?:[\\p{L}-]+ ){0,2}?(?:${things.es})(?: (?:de|del|sobre) [^.!?:]{1,40}?)?(?: (?:dice|indica|afirma)(?: (?:esto|que))?)? ?$`,
    ),
    isFrom: cue(
      `(?:${anyCase(people.es)}|${name}) (?:me |nos |ha )*(?:escribió|escrito|mandó|envió|dijo|abrió|publicó)(?![\\p{L}])|${anyCase(texts.es)} (?:de|del) (?:(?:la|mi|nuestr[oa]) )?(?:${anyCase(people.es)}|${name})|no (?:lo escribí yo|es mí[oa])(?![\\p{L}])`,
    ),
    adopts: cue('(?:[Cc]omo|[Ll]o que|[Cc]uando|[Ss]i|[Pp]orque)(?: \\p{L}+)? $'),
    goesOn: /, ?(?:pero|así que|entonces)(?![\p{L}])/iu,
    carriesOut:
      /(?<!no )(?<![\p{L}])(?:implementa|impleméntalo|arregla|arréglalo|corrige|aplica|hazlo|sigue)(?![\p{L}])/iu,
  },
  zh: {
    says: new RegExp(
      `(?:[他她](?:们)?|(?:我的?|我们的?|那个)?${people.zh}|[A-Z][a-z]+ ?)[^，,。！？“"]{0,6}?(?:说(?!的|明|法)|写道|认为|觉得|建议|提议|声称|表示|要求)`,
      'u',
    ),
    holds:
      /(?:文档|页面|网页|维基|wiki|说明|文章|手册|readme)[^，,。！？：:]{0,12}(?:说|写|写道|写着|的内容|如下)?(?:的)?$/iu,
    isFrom: new RegExp(
      `(?:[他她](?:们)?|${people.zh}|[A-Z][a-z]+ ?)[^，,。！？“"]{0,6}?(?:写|发|提|说|留)(?:来)?(?:的|了|道)|不是我写的`,
      'u',
    ),
    adopts: /(?:按照?|照|像|如|根据|如果|因为)$/u,
    goesOn: /[，,；;] ?(?:但|不过|所以|那我们|我们还是|请)/u,
    carriesOut: /(?<!不要|不|别)(?:实现|照做|修复|按(?:照)?(?:这个|此)|完成)/u,
  },
  ja: {
    says: new RegExp(
      `(?:彼女?ら?|${people.ja}|[\\p{sc=Han}\\p{sc=Katakana}A-Za-z]{1,8}さん)(?:は|が|も|から|曰く)[^。！？]{1,100}?(?:と|って)(?:言|いっ|いう|書|提案|主張|述べ|話し)`,
      'u',
    ),
    holds: /(?:ドキュメント|ページ|記事|ウィキ|wiki|マニュアル|readme)[^。！？：:]{0,16}$/iu,
    isFrom: new RegExp(
      `(?:彼女?ら?|${people.ja}|[\\p{sc=Han}\\p{sc=Katakana}A-Za-z]{1,8}さん)(?:は|が|も|から|の)[^。！？]{0,30}?(?:書いた|送って|送られ|言った|言って|投稿|メール|コメント|チケット)|私が書いたもので(?:はない|はありません)`,
      'u',
    ),
    goesOn: /(?:が、|けど、?|ので、|だから|でも)/u,
    carriesOut: /(?:実装|対応|修正|反映)して(?!は|も)/u,
  },
  ru: {
    says: cue(
      `(?:[Оо]н|[Оо]на|[Оо]ни|[Кк]то-то|(?:[Мм]ой|[Мм]оя|[Нн]аш|[Нн]аша|[Ее]го|[Ее]ё) \\p{L}+|${anyCase(people.ru)}|${name}) (?:мне |нам |уже |ещё )*(?:сказал[аи]?|говорит|говорят|пишет|написал[аи]?|предлагает|предложил[аи]?|считает|утверждает|думает|настаивает|советует)(?![\\p{L}])`,
    ),
    holds: cue(
      `(?:${things.ru})\\p{L}*(?: (?:на|о|об|от|из) [^.!?:]{1,40}?)?(?: \\p{L}+){0,2}?(?: (?:говорит|пишет|гласит|сказано|написано)(?: (?:следующее|так))?)? ?$`,
    ),
    isFrom: cue(
      `(?:${anyCase(people.ru)}|${name}) (?:мне |нам |уже )*(?:написал|прислал|отправил|оставил|завёл|сказал)[аи]?(?![\\p{L}])|${anyCase(texts.ru)} от (?:\\p{L}+)|не я (?:писал|написал)[а]?(?![\\p{L}])`,
    ),
    adopts: cue('(?:[Кк]ак|[Чч]то|[Ее]сли|[Кк]огда|[Пп]отому что)(?: \\p{L}+)? $'),
    goesOn: /, ?(?:но|поэтому|так что|давай(?:те)?)(?![\p{L}])/iu,
    carriesOut: /(?<!не )(?<![\p{L}])(?:реализуй(?:те)?|сделай(?:те)?|исправь(?:те)?|выполни(?:те)?)(?![\p{L}])/iu,
  },
};

/** A pattern that begins at a word; names are known by their capital, so that case counts. */
function cue(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d_])(?:${pattern})`, 'u');
}

/** Words of a list, also with a capital at their beginning. */
function anyCase(words: string): string {
  return words.replace(/(?<=\(\?:|\|)(?=\p{Ll})(\p{L})/gu, (letter: string) => `[${letter.toUpperCase()}${letter}]`);
}

const all = Object.values(languages);

/** Nobody introduces or reports another's words in more. */
const reportCharactersMax = 600;
/** What comes before an attribution that opens a sentence: "In the standup", "btw". */
const openingCharactersMax = 40;

/** Where a sentence reports what somebody else said: the end of "Ann said"; nothing where the person adopts it or goes on. */
export function findReport(sentence: string): number | undefined {
  if (sentence.length > reportCharactersMax) return undefined;
  const unquoted = sentence.replace(quoted, (words) => ' '.repeat(words.length));
  const colon = /[:：](?=\s*\S)/.exec(unquoted)?.index ?? -1;
  const lead = unquoted.slice(0, Math.max(0, colon));
  // "The docs: always in English" names a topic of the person's.
  const isNamed = lead.split(/\s+/).length >= namedWordsMin || /[说写書言][^：:]{0,4}$/u.test(lead);
  if (isNamed && holdsText(lead)) return colon;
  for (const { says, adopts, goesOn } of all) {
    const found = says.exec(unquoted);
    if (found === null || found.index > openingCharactersMax || goesOn.test(unquoted.slice(found.index))) continue;
    const before = unquoted.slice(0, found.index);
    if (adopts?.test(before) || /[.!?;:]/.test(before)) continue;
    const end = found.index + found[0].length;
    // "That is what Ann said." reports nothing.
    if (/[\p{L}"“„«「]/u.test(sentence.slice(end))) return end;
  }
  return undefined;
}

const quoted = /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」/g;

/** Whether words that end with a colon introduce a text of somebody else that they do not ask to carry out. */
export function introducesOthers(words: string): boolean {
  if (words.length > reportCharactersMax || !/[:：][*_]*\s*$/.test(words)) return false;
  if (all.some(({ carriesOut }) => carriesOut.test(words))) return false;
  const lead = words.replace(/[:：][*_]*\s*$/, '');
  return holdsText(lead) || all.some(({ says, isFrom }) => says.test(words) || isFrom.test(words));
}

/** Whether words before a colon end with a thing that holds a text. */
function holdsText(lead: string): boolean {
  return lead.length <= leadCharactersMax && all.some(({ holds }) => holds.test(lead));
}

/** "The readme of the lib" names a text. */
const namedWordsMin = 4;

/** Nobody names a text with more words before its colon. */
const leadCharactersMax = 120;
