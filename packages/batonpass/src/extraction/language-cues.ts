import { contentWords } from './content-words.ts';
import { isQuestion } from './plain-text.ts';

/**
 * What rules need to know of a language, one row a language: nothing else in the extraction of instructions and of
 * claims depends on one. A further language is a further row.
 */
interface LanguageCues {
  /** Opens or carries a standing order: a ban, a duty, a preference. */
  orders: RegExp;
  /** Binds one moment only: "not yet", "for now". */
  passing: RegExp;
  /** Orders for one act as often as for all later ones, "make sure", where they open the sentence; absent for none. */
  opens?: RegExp;
  /** Claims that a check succeeded. */
  passes: RegExp;
  /** Greets, or accepts what was said; says nothing of the work. */
  greets: RegExp;
  /** Opens a request: "can you", "I want to". */
  asks: RegExp;
  /** Opens a clause that only binds another one: "when", "because". */
  binds: RegExp;
  /** Joins a further clause or thing: "and", "or". */
  joins: RegExp;
  /** Allows what was forbidden, or says that an order ends: "you can … now", "drop that rule". */
  withdraws: RegExp;
  /** Opens an order to undo: "undo it", "revert the upgrade"; `what` is its object, where it can be any. */
  undoes: RegExp;
  /** Takes one thing and leaves another: "instead of". */
  contrasts: RegExp;
  /** Asks whether an act may be done: "should I", "do you want me to". */
  offers: RegExp;
  /** Asks for more than a yes or a no: "which", "or". */
  chooses: RegExp;
  /** Says that the speaker wants to know something: "I'd like to know". */
  wonders: RegExp;
  /** Opens a reply that accepts an offer; absent where `request-cues.ts` says what is accepted. */
  accepts?: RegExp;
  /** Refuses or denies: "no", "not". */
  denies: RegExp;
  /** Announces or reports an act of the speaker's own: "I'll use", "I chose". */
  acts: RegExp;
}

const languages: Readonly<Record<string, LanguageCues>> = {
  en: {
    orders:
      /(?<=^|[^a-z\d\s]\s*|\b(?:please|pls|and|but|so|then|or|just|also|again|really|ever|i|we|you|agents?)\s+)(?:do not|don['’]t (?!know|think|see|understand|get\b|worry|have|care|forget|mind|remember|agree|like it|i\b|you\b|we\b))\b|\b(?:(?<!\b(?:ha(?:ve|s|d)|there(?: is|['’]s| are| was)|['’](?:ve|d))\s+)(?:never|always)(?! \w+[^\Wsu]s\b|(?<!\b(?:is|are|be) \w+) (?!embed)\w+[^\We]ed\b)|must(?: not|n['’]t)?|from now on|only ever|at all times|no matter what|under no circumstances|(?:i|we) (?:always|never) want|prefer(?:ably)?\b|i(?:['’]d| would) (?:prefer|rather)|(?:better|prefer|rather)(?: to)? not\b|please (?:avoid|do not|don['’]t)|avoid \w+ing|without (?:any )?\w+ing|should (?:never|always|not)|shouldn['’]t|no (?:new|more|extra|external) |(?:limit|restrict|confine) (?:your|the|all|any|every|these|yourself)\b.{0,40}? to|only (?:ever )?(?:change|edit|touch|modify|fix|use|work|write)|leave .{1,60}? (?:alone|as (?:it|they|is|are)|untouched|unchanged)|(?:and )?nothing else)\b/i,
    passing: /\b(?:yet|for now|right now|this time|just now|at the moment)\b/i,
    opens:
      /^(?:please )?(?:make sure|remember to|be sure to|stick to|use|keep (?:it|things|everything|the \w+))(?= )(?!.*\b(?:then|to (?:create|make|add|build|generate|find|fix|write|open|see|look|check|determine|update|test|run))\b)/i,
    passes:
      /\b(?:tests?|checks?|build|lint|suite|types?|everything)\b.{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ok)\b/i,
    greets:
      /^(?:hi|hello|hey|good (?:morning|evening|afternoon)|thanks?(?: you)?|ok(?:ay)?|so|well|great|and|but|now|then|also|actually|just|please|pls)(?: (?:there|all|everyone|claude|team))?(?![\p{L}\d'’-])/iu,
    asks: /^(?:(?:can|could|would|will) you|(?:i|we)(?: would|['’]d)? (?:want|need|like|have|wish)(?: you| us)?(?: to)?|(?:i|we)(?: am|['’]m| are|['’]re) (?:going|trying|looking) to|let['’]?s|let us|help me(?: to)?|is (?:there|it possible)(?: a way)? to|go ahead and|how (?:do|can|should|would) (?:i|we))(?![\p{L}\d'’-])/iu,
    binds:
      /^(?:when(?:ever)?|if|since|because|as|which|who|that|after|before|while|although|though|unless|so that|where|than|or)(?![\p{L}\d'’-])/iu,
    joins: /^(?:and|but|or|then|so)(?![\p{L}\d'’-])/iu,
    withdraws:
      /\b(?:after all|no longer|any ?more|(?:you|we) (?:can|may)\b.{0,60}\bnow|you (?:can|may)|(?:is|are|it['’]s|that['’]s) (?:now )?(?:fine|ok(?:ay)?|allowed)|(?:drop|lift|ignore|forget|scrap)(?: about)? (?:that|the|this|my) (?:\w+ )?(?:rule|ban|restriction|limit|instruction|order)|doesn['’]t (?:apply|matter)|fair game|feel free|free to|(?:has|have|is|are|was) (?:merged|gone|done|over|finished)|changed my mind|on second thought)\b/i,
    undoes:
      /^(?:(?:please|no|ok(?:ay)?|actually|just)[,.]? )*(?:(?:undo|revert|roll back)(?! to\b)|roll it back|take (?:it|that) back)\b(?<what>.{0,80})$/i,
    contrasts: /\b(?:rather than|instead of|in (?:place|favou?r) of)\b|, not\b/i,
    offers:
      /\b(?:(?:should|shall|may|can|could|do) (?:i|we)|want me to|would you like|do you want|(?:ok(?:ay)?|fine|ready|safe) (?:to|if (?:i|we))|(?:sound|look)s? (?:good|ok(?:ay)?|right)|proceed|go ahead)\b/i,
    chooses: /\b(?:or(?! not)|which|what)\b/i,
    wonders:
      /\b(?:i(?:['’]d like| would like| want| wanna| need)? to (?:know|understand)|i(?:['’]m| am)? (?:just )?(?:wonder(?:ing)?|curious))\b/i,
    denies:
      /\b(?:no(?!\s+(?:problem|worries|doubt))|nope|nah|not|never|neither|(?:do|does|did|wo|ca|should)n['’]?t|cannot)\b/i,
    acts: /^(?:(?:so|now|ok(?:ay)?|then|next),? )*(?:i(?:['’]ll| will|['’]m going (?:to|with)|['’]ve| have)?|let me|let['’]s|we(?:['’]ll| will)) (?!(?:not sure|think|see|look|check|read|verify|find|found|need|was|am|can)\b)\w|^(?:now )?(?:using|switching|moving|replacing|updating|refactoring|rewriting|making|adding|use|switch|replace|rewrite)\b/i,
  },
  de: {
    orders:
      /(?<![\p{L}])(?:nie|niemals|immer|keinesfalls|auf keinen fall|nicht vergessen|ab (?:jetzt|sofort)|bitte (?:nicht|kein\w*|immer|nur)|(?:darf|dürfen|soll|sollst|sollen|muss|müssen)(?: \p{L}+){0,3} (?:nicht|kein\w*|immer)|(?:ändere|bearbeite|verwende|benutze) nur|nur mit|beschränke|lass \p{L}+ (?:\p{L}+ )?(?:unverändert|in ruhe)|ausschließlich|(?:besser|lieber) (?:nicht|kein\w*))(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:noch nicht|erstmal|im moment|diesmal)(?![\p{L}])/iu,
    passes: /(?:tests?|prüfung\w*|build)(?: \p{L}+){0,4} (?:grün|bestanden|laufen durch|erfolgreich|fehlerfrei)/iu,
    greets:
      /^(?:hallo|guten (?:tag|morgen|abend)|danke|ok(?:ay)?|also|gut|und|aber|nun|jetzt|dann|bitte)(?![\p{L}\d])/iu,
    asks: /^(?:(?:kannst|könntest|würdest) du|(?:ich|wir) (?:will|wollen|möchte|möchten|brauche|brauchen|hätten?|würden?)(?: gern)?|lass uns|hilf mir)(?![\p{L}\d])/iu,
    binds: /^(?:wenn|weil|da|dass|obwohl|nachdem|bevor|während|damit|sodass|falls|oder|wo|als)(?![\p{L}\d])/iu,
    joins: /^(?:und|aber|oder|dann|sondern)(?![\p{L}\d])/iu,
    withdraws:
      /(?<![\p{L}])(?:doch|nicht mehr|darfst du|du darfst|(?:kann|können|kannst)(?: \p{L}+){0,3} (?:weg|wieder|jetzt|nun|also)|(?:ist|sind) (?:jetzt|wieder|nun) (?:ok(?:ay)?|erlaubt|in ordnung)|vergiss (?:das|die)|überlegt)(?![\p{L}])/iu,
    undoes:
      /^(?:bitte |nein,? )*(?:(?:mache?|nimm) (?<what>.{1,60})(?:rückgängig|zurück)|rückgängig(?: machen)?)[.!]*$/iu,
    contrasts: /(?<![\p{L}])(?:statt|anstatt|anstelle|sondern)(?![\p{L}])|, nicht(?![\p{L}])/iu,
    offers:
      /(?<![\p{L}])(?:(?:soll(?:en|te)?|darf|dürfen|kann|können) (?:ich|wir)|möchtest du|willst du|passt das|in ordnung|einverstanden)(?![\p{L}])/iu,
    chooses: /(?<![\p{L}])(?:oder(?! nicht)|welche\p{L}*)(?![\p{L}])/iu,
    wonders:
      /(?<![\p{L}])(?:(?:ich|wir) (?:möchten?|will|wollen|würden?) (?:gern\p{L}* )?(?:wissen|verstehen)|(?:ich|wir) (?:fragen?) (?:mich|uns))(?![\p{L}])/iu,
    denies: /(?<![\p{L}])(?:nein|nee|nicht|nie(?:mals)?|kein\p{L}*)(?![\p{L}])/iu,
    acts: /(?<![\p{L}])(?:ich (?:werde|habe|nehme|verwende|nutze|setze|baue|mache|lege|schreibe|ersetze)|(?:nehme|verwende|nutze|setze|baue) ich)(?![\p{L}])/iu,
  },
  fr: {
    orders:
      /(?<![\p{L}])(?:jamais|toujours|surtout pas|il (?:ne )?faut|tu (?:ne )?dois|ne \p{L}+ pas|n['’]\p{L}+ pas|désormais|à partir de maintenant|uniquement|obligatoirement|limite-toi|limitez-vous|ne (?:modifie|change|touche)[sz]? que|évite[sz]?|assure-toi|mieux vaut|vaut mieux)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:pas encore|pour (?:le moment|l['’]instant)|cette fois)(?![\p{L}])/iu,
    passes: /(?:tests?|build|compilation)(?: \p{L}+){0,4} (?:passent|passe|réussi\w*|verts?|au vert|ok)/iu,
    greets: /^(?:bonjour|salut|merci|ok|bon|alors|donc|et|mais|maintenant|d['’]accord|parfait|stp)(?![\p{L}\d])/iu,
    asks: /^(?:(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous|je (?:veux|voudrais|souhaite)|j['’]aimerais|(?:on|nous) (?:veut|voulons|doit|devons)|aide-moi à|il faut(?:drait)?)(?: qu[e'’])?(?![\p{L}\d])/iu,
    binds: /^(?:quand|si|parce que|puisque|lorsque|car|afin|pour que|bien que|qui|dont|où|ou)(?![\p{L}\d])/iu,
    joins: /^(?:et|mais|ou|puis)(?![\p{L}\d'’])/iu,
    withdraws:
      /(?<![\p{L}])(?:finalement|n['’e]\p{L}* ?plus|tu peux|vous pouvez|oublie[sz]? (?:ça|cette|la)|c['’]est (?:bon|permis)|changé d['’]avis)(?![\p{L}])/iu,
    undoes: /^(?:non,? )*(?:annule[sz]?|défai[st]|reviens en arrière)(?![\p{L}])(?<what>.{0,80})$/iu,
    contrasts: /(?<![\p{L}])(?:plutôt qu(?:e|['’])|au lieu d(?:e|['’]))|, pas(?![\p{L}])/iu,
    offers:
      /(?<![\p{L}])(?:(?:dois|puis|peux|devons|pouvons)-(?:je|nous)|(?:veux|souhaites)-tu|(?:voulez|souhaitez)-vous|tu veux que|faut-il|d['’]accord)(?![\p{L}])/iu,
    accepts: /^(?:oui|ouais|d['’]accord|vas-y|allez-y|parfait|bien sûr|ok)(?![\p{L}])/iu,
    chooses: /(?<![\p{L}])(?:ou(?! non)|quoi|(?:les?|la)?quel\p{L}*)(?![\p{L}])/iu,
    wonders:
      /(?<![\p{L}])(?:(?:je (?:veux|voudrais|souhaite|cherche à)|j['’]aimerais) (?:bien )?(?:savoir|comprendre)|je me demande)(?![\p{L}])/iu,
    denies: /(?<![\p{L}])(?:non|pas|jamais|aucun\p{L}*)(?![\p{L}-])/iu,
    acts: /(?<![\p{L}])(?:je (?:vais|remplace|passe|mets|garde|prends|crée)|j['’](?:ai|utilise|ajoute))(?![\p{L}])/iu,
  },
  es: {
    orders:
      /(?<![\p{L}])(?:nunca|jamás|siempre|no (?:uses|hagas|toques|cambies|borres|agregues|añadas|crees|modifiques|escribas|ejecutes)|debe[ns]?|hay que|tiene[ns]? que|a partir de ahora|asegúrate|evita|solamente|únicamente|limítate|límite\p{L}* a|mejor no)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:todavía no|por ahora|de momento|esta vez|creo que|me parece que)(?![\p{L}])/iu,
    passes: /(?:pruebas?|tests?|compilación)(?: \p{L}+){0,4} (?:pasan|pasa|exitos\w*|correctamente|verdes?)/iu,
    greets:
      /^(?:hola|buen[oa]s (?:días|tardes|noches)|gracias|ok|bueno|entonces|y|pero|ahora|por favor)(?![\p{L}\d])/iu,
    asks: /^(?:puedes|podrías|quiero(?: que)?|quisiera|necesito(?: que)?|queremos|necesitamos|ayúdame a|vamos a)(?![\p{L}\d])/iu,
    binds: /^(?:cuando|si|porque|ya que|aunque|mientras|para que|donde|o|que|quien)(?![\p{L}\d])/iu,
    joins: /^(?:y|e|pero|o|luego)(?![\p{L}\d])/iu,
    withdraws:
      /(?<![\p{L}])(?:al final|ya no|(?:ya )?puedes|está(?:n)? bien|olvida (?:eso|esa|la)|cambié de (?:idea|opinión))(?![\p{L}])/iu,
    undoes: /^(?:no,? )*(?:deshaz(?:lo)?|revierte(?:lo)?|deshacer)(?![\p{L}])(?<what>.{0,80})$/iu,
    contrasts: /(?<![\p{L}])(?:en (?:lugar|vez) de|más bien que)(?![\p{L}])|, no(?![\p{L}])/iu,
    offers:
      /(?<![\p{L}])(?:debo|debería|puedo|podemos|quieres que|prefieres|desea[s]?|procedo|te parece|de acuerdo)(?![\p{L}])/iu,
    accepts: /^(?:s[ií]|vale|dale|adelante|de acuerdo|claro|perfecto|ok)(?![\p{L}])/iu,
    chooses: /(?<![\p{L}])(?:[ou](?! no)|qué|cuál(?:es)?)(?![\p{L}])/iu,
    wonders:
      /(?<![\p{L}])(?:(?:quiero|quisiera|querría|me gustaría|necesito) (?:saber|entender)|me pregunto)(?![\p{L}])/iu,
    denies: /(?<![\p{L}])(?:no|nunca|jamás|tampoco|ning[uú]n\p{L}*)(?![\p{L}])/iu,
    acts: /(?<![\p{L}])(?:voy a|vamos a|he (?:usado|cambiado|puesto|elegido)|(?:uso|usaré|cambio|reemplazo|pongo))(?![\p{L}])/iu,
  },
  zh: {
    orders:
      /(?<!要)不要|别(?!的|人)|请勿|切勿|禁止|(?<![能并])不能|不得|必须|务必|一定要|始终|总是|永远|只能|只用|只(?:改|修改|动|允许)|仅(?:限|修改)|以后都|(?<![我还])记得|确保|避免/,
    passing: /先[^。；]{0,12}(?:不|别)|暂时|暂不|这次|目前/,
    passes: /(?:测试|检查|构建|编译|用例).{0,12}(?:通过|成功|全绿)/,
    greets: /^(?:你好|您好|谢谢|好的?|那么?|现在|然后|但是?)(?=[，,。！! ]|请|我|帮)/,
    asks: /^(?:请(?:你|您)?(?:帮我|帮忙)?|帮我|我(?:想要?|要|需要|希望)|希望能?|能不能|可以|能否|我们(?:要|需要))/,
    binds: /^(?:如果|因为|由于|当|虽然|但是?|所以|只要|或者|而且?)/,
    joins: /^(?:并且?|而且|然后|以及|或者?)/,
    withdraws: /不再|可以.{0,12}了|还是|算了|取消|不用.{0,8}了|改主意/,
    undoes: /^(?:请|先)?(?:撤销|撤回|回退|还原|回滚)(?:吧|掉|它|这个|刚才的(?:修改|改动)|修改|改动)?[。！!]*$/,
    contrasts: /而不是|而非|代替|取代/,
    offers: /要不要|是否|需要我|我(?:可以|要|应该|来).*吗|可以.*吗|好吗|行吗/,
    accepts: /^(?:好|可以|行|是的?|嗯|对|同意|没问题|继续)/,
    chooses: /还是|或者?|哪|什么/,
    wonders: /(?:想(?:要)?|希望)(?:知道|了解|问)|好奇/,
    denies: /不|别|没|否|勿/,
    acts: /我(?:会|将|已|要|来|选择|改)|^(?:现在)?(?:改用|使用|采用|改为)/,
  },
  ja: {
    orders:
      /しないで|するな|禁止|必ず|絶対|常に|いつも|てはいけない|てはならない|べき|のみ(?:使|で|変更|修正)|だけ(?:変更|修正|直)|なければならない|避けて|忘れず/,
    passing: /まだ|今は|とりあえず|今回/,
    passes: /(?:テスト|ビルド|チェック).{0,12}(?:通|成功|パス|グリーン)/,
    greets: /^(?:こんにちは|おはよう(?:ございます)?|ありがとう(?:ございます)?|では|じゃあ|はい)[、。！!\s]*/,
    asks: /^(?:まず|次に|それでは)[、\s]*/,
    binds: /^(?:もし|なぜなら|ただし|または|しかし)/,
    joins: /^(?:そして|また|または|それから)/,
    withdraws: /やっぱり|もう(?:いい|大丈夫)|ても(?:いい|大丈夫)|気が変わ|取り消/,
    undoes: /^(?:それを?|全部|変更を?)?(?:元に戻し|取り消し)て(?:ください)?[。！!]*$/,
    contrasts: /ではなく|代わりに/,
    offers: /ましょうか|(?:して|ても)(?:も)?(?:いい|よろしい)|(?:し|き|り|え|け|べ|め|れ)ますか|べきですか/,
    accepts: /^(?:はい|お願い|いいです|了解|そうして|OK)/i,
    chooses: /それとも|または|どれ|どちら|どの|何を/,
    wonders: /(?:知り|聞き)たい|気になる/,
    denies: /いいえ|いや|ない|ません|やめ|だめ|ダメ/,
    acts: /(?:します|しました|使います|使いました|変更します|にしました)[。！!]?$/,
  },
  ru: {
    orders:
      /(?<![\p{L}])(?:никогда|всегда|нельзя|не надо|не нужно|обязательно|ограничь\p{L}*|должн\p{L}+|запрещ\p{L}+|не (?:трогай|меняй|удаляй|используй|делай|пиши|создавай|добавляй)|только|избегай|следи)(?![\p{L}])/iu,
    passing: /(?<![\p{L}])(?:пока|сейчас|в этот раз)(?![\p{L}])/iu,
    passes:
      /(?:тест\p{L}*|сборк\p{L}+|проверк\p{L}+)(?: \p{L}+){0,4} (?:проход\p{L}+|прошл\p{L}+|успешн\p{L}+|зел\p{L}+)/iu,
    greets: /^(?:привет|здравствуй(?:те)?|добрый день|спасибо|ок|хорошо|так|и|а|но|теперь|пожалуйста)(?![\p{L}\d])/iu,
    asks: /^(?:(?:можешь|мог бы|можете)(?: ты)?|(?:я )?(?:хочу|хотел бы)(?:,? чтобы)?|(?:мне|нам) (?:надо|нужно)|надо|нужно|давай(?:те)?|помоги(?:те)? мне)(?![\p{L}\d])/iu,
    binds: /^(?:если|когда|потому|так как|чтобы|котор\p{L}+|хотя|пока|где|или)(?![\p{L}\d])/iu,
    joins: /^(?:и|а|но|или|потом)(?![\p{L}\d])/iu,
    withdraws:
      /(?<![\p{L}])(?:всё-таки|все-таки|больше не|(?:теперь )?можно|можешь|забудь (?:про|об)|передумал\p{L}*)(?![\p{L}])/iu,
    undoes: /^(?:нет,? )*(?:отмени|откати|верни (?:как было|обратно|назад))(?: (?:это|всё|все|изменения))?[.!]*$/iu,
    contrasts: /(?<![\p{L}])(?:вместо|а не)(?![\p{L}])/iu,
    offers:
      /(?<![\p{L}])(?:(?:мне|нам) \p{L}+|можно|стоит ли|нужно ли|хочешь|хотите|согласен|согласны|продолжить)(?![\p{L}])/iu,
    accepts: /^(?:да|ок|ага|давай(?:те)?|хорошо|конечно|согласен|согласна)(?![\p{L}])/iu,
    chooses: /(?<![\p{L}])(?:или(?! нет)|как(?:ой|ая|ое|ие|ую)|что именно)(?![\p{L}])/iu,
    wonders: /(?<![\p{L}])(?:(?:хочу|хотел\p{L}* бы|хочется) (?:знать|узнать|понять)|интересно)(?![\p{L}])/iu,
    denies: /(?<![\p{L}])(?:нет|не|никогда)(?![\p{L}])/iu,
    acts: /(?<![\p{L}])я (?:использую|заменю|сделаю|буду|заменил\p{L}*|сделал\p{L}*)|^(?:теперь )?(?:использую|заменяю|делаю|добавляю)(?![\p{L}])/iu,
  },
};

const all = Object.values(languages);

/** A sentence without what stands in quotation marks; a quotation that goes on in the next sentence ends with this one. */
export function withoutQuotations(sentence: string): string {
  return sentence.replace(/[“"„«「『][^“”"„«»「」『』]*(?:[”"“»」』]|$)/g, ' ');
}

/** Whether a sentence gives a standing order, in whichever language; what it quotes is no order of its own. */
export function givesOrder(sentence: string): boolean {
  const own = withoutQuotations(sentence).replace(/`[^`]*`/g, ' ');
  return all.some(
    ({ orders, opens, passing }) => (orders.test(own) || opens?.test(own.trim()) === true) && !passing.test(own),
  );
}

/** What a check looks at; `any` where its name does not say. */
export type CheckKind = 'test' | 'lint' | 'types' | 'build' | 'any';

/** How a claim names what was checked, in all the languages above. */
const checkNames: Record<Exclude<CheckKind, 'any'>, RegExp> = {
  test: /\btests?\b|\bsuite\b|\bpruebas?\b|测试|用例|テスト|тест/i,
  lint: /\blint/i,
  types: /\btypes?\b/i,
  build: /\bbuild|\bcompil|构建|编译|ビルド|сборк/i,
};

/** The checks that a sentence claims succeeded: `any` where it names none of them; nothing where it claims none. */
export function claimedChecks(sentence: string): ReadonlySet<CheckKind> | undefined {
  if (!all.some(({ passes }) => passes.test(sentence))) return undefined;
  const named = (Object.keys(checkNames) as (keyof typeof checkNames)[]).filter((kind) =>
    checkNames[kind].test(sentence),
  );
  return new Set(named.length === 0 ? ['any'] : named);
}

/** Whether a sentence says what its speaker does, and instead of what. */
export function choosesForItself(sentence: string): boolean {
  return all.some(({ contrasts, acts }) => contrasts.test(sentence) && acts.test(sentence));
}

/** Whether a sentence allows what was forbidden, or ends an order. */
export function withdraws(sentence: string): boolean {
  return all.some((cues) => cues.withdraws.test(sentence));
}

/** What a sentence or its last clause orders to undo: "that's unreadable, undo it"; empty where the order has no object of its own. */
export function readUndone(sentence: string): string | undefined {
  const clauses = [sentence, sentence.split(/[,;，；] ?/).at(-1) ?? ''];
  for (const clause of clauses) {
    for (const { undoes } of all) {
      const order = undoes.exec(clause);
      if (order === null) continue;
      const [what = ''] = (order.groups?.what ?? '').split(/[,;:.!，；。]/);
      const further = [...what.matchAll(/\s+/g)].find(({ index, 0: gap }) =>
        opensClause(what.slice(index + gap.length)),
      );
      return what.slice(0, further?.index).trim();
    }
  }
  return undefined;
}

/** Whether a sentence takes one thing and leaves another. */
export function contrasts(sentence: string): boolean {
  return all.some((cues) => cues.contrasts.test(sentence));
}

/** Whether a question offers an act: "Should I …?". */
export function offersAct(question: string): boolean {
  return isQuestion(question) && all.some(({ offers }) => offers.test(question));
}

/** Whether a question asks for more than a yes or a no. */
export function leavesChoice(question: string): boolean {
  return all.some(({ chooses }) => chooses.test(question));
}

/** A sentence without what it says that its speaker wants to know, up to a word that joins a further clause. */
export function withoutWish(sentence: string): string {
  const wish = all.flatMap(({ wonders }) => wonders.exec(sentence) ?? []).at(0);
  const from = wish === undefined ? -1 : sentence.indexOf(wish);
  if (wish === undefined) return sentence;
  const rest = sentence.slice(from + wish.length);
  const joint = [...rest.matchAll(/[\s,;，；]+/g)].find(({ index, 0: gap }) =>
    all.some(({ joins }) => joins.test(rest.slice(index + gap.length))),
  );
  return sentence.slice(0, from) + (joint === undefined ? '' : rest.slice(joint.index));
}

/** Whether a reply accepts an offer, in a language in which what is accepted cannot be told apart from its question. */
export function acceptsOffer(reply: string): boolean {
  return all.some(({ accepts }) => accepts?.test(reply) === true);
}

/** Whether a sentence refuses or denies something. */
export function denies(sentence: string): boolean {
  return all.some((cues) => cues.denies.test(sentence));
}

/** Whether a text begins with a word that joins a further clause or binds one. */
export function opensClause(text: string): boolean {
  return all.some(({ joins, binds }) => joins.test(text) || binds.test(text));
}

/** Whether a clause only binds another one. */
export function bindsAnother(clause: string): boolean {
  return all.some(({ binds }) => binds.test(clause));
}

/** A request without its greeting and without the words that only ask: "can you", "I want to"; and whether it had these. */
export function withoutOpening(request: string): { text: string; asks: boolean } {
  let text = request.trim();
  let asks = false;
  for (let round = 0; round < openingsMax; round += 1) {
    const before = text;
    for (const cues of all) {
      const asked = text.replace(cues.asks, '');
      asks ||= asked !== text;
      text = asked.replace(cues.greets, '').replace(/^[\s,.;:!?，。、！-]+/, '');
    }
    if (text === before) break;
  }
  return { text, asks };
}

/** "OK, thanks, and now can you": nobody says more before the point. */
const openingsMax = 4;

/** What a sentence rejects: the words behind these. */
const rejects =
  /\b(?:instead of|rather than|no longer|not|drop|remove|get rid of|scrap|revert|undo|forget(?: about)?|replace|switch (?:away )?from|never mind|nicht|statt|anstelle von|pas|plutôt que|au lieu de|en vez de|en lugar de)\s+(?:the |a |an |using |our |that |your |de |le |la |el )*(?<rejected>[^,;.()]{2,80}?)(?=[,;.()]|\s+(?:with|by|and|but|for|in favou?r|let'?s|because|since|so|to)\b|$)/gi;

/** What a text rejects in so many words: the words of each thing. */
export function readRejectedWords(content: string): Set<string>[] {
  return [...content.matchAll(rejects)]
    .map((match) => contentWords(match.groups?.rejected ?? ''))
    .filter((set) => set.size > 0 && set.size <= 6);
}
