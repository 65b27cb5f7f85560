/** Words with which people direct an agent, in tables: which sentence of a user settles something, and which does not. */

/** What people put before the point; it says nothing. */
export const fillers =
  /^(?:(?:ok(?:ay)?|so|and|also|then|but|well|hmm+|mm+k?|lastly|finally|first(?:ly)?|second(?:ly)?|next(?! steps?\b)|actually|please|pls|plz|just|now|alright|right|great|good|cool|nice|perfect|awesome|thanks|thank you|thx|yes|yep|yup|yeah|no(?=\s*[,.;:!—–-])|nope|nah|sure|exactly|agreed|go ahead(?=,)|(?:sounds|looks) (?:good|great|fine)(?=[,.!])|makes sense(?=[,.!])|good (?:point|call|idea|catch)|on second thought|wait|hold on(?=[ ,.!;:])|of course|definitely|instead|maybe|perhaps|additionally|furthermore|for now|again|oh|ah|hey|hi|in addition|also|btw|fyi|note|important|(?:please )?(?:try|remember|be sure|make sure|feel free) to|i think|i guess|i believe|i mean|in that case|one (?:more|other|last) thing|another (?:thing|one)|next one|ja|nein(?=\s*[,.])|aber|und|dann|also|bitte|danke|super|gut|stimmt|genau|okay|außerdem|for the .{1,30}?change)\b[\s,.:;!…-]*)+/i;

/** Verbs in the form that follows the subject of a question with a helping verb. */
export const bareVerbs =
  'be|have|use|require|include|support|always|never|allow|return|store|show|stay|keep|go|live|get|receive|become|remember|work|run|start|stop|specify|explicitly specify|accept|reject|print|write|read|send|open|close|happen|contain|hold|add|remove|create|delete|change|sort|expire|last|count|apply|come|fail|retry|log|sync|link|load|save|cover|follow|respect|ignore|handle|fall|default|exit|wait';

/** Verbs that shape the work: an order with one of them is a choice. */
const shapingVerbs =
  'add|adopt|allow|always|apply|avoid|be(?! (?:strict|careful|thorough|concise|brief|honest|nice|specific|critical|sure))|break|build|bump|bundle|cache|call|cap|change|choose|collapse|combine|configure|convert|copy|create|cut|decouple|default|defer|define|delete|deprecate|disable|discard|display|do|drop|embed|enable|encode|enforce|ensure|exclude|exempt|expose|extend|extract|fall back|format|generalize|get rid of|get (?:it|this|that|them|the [\\w -]{2,40}?) (?:below|under|down|above)|give|go with|group|handle|hard-?code|have|hide|hold off|hook|ignore|implement|include|inline|integrate|introduce|keep|leave|limit|link|load|log(?! (?:in|out|on)\\b)|lock|make|mark|map|match|merge|migrate|mock|model|move|name|never|normali[sz]e|omit|only|open|parse|pass|persist|pick|pin|place|plan|port|postpone|prefer|prefix|print|prioriti[sz]e|promote|prune|publish|put|raise|lower|reduce|refactor|reject|remove|rename|render|reorder|replace|require|reset|restrict|return|reuse|re-use|revert|rewrite|save|scope|separate|set|share|show|simplify|skip|sort|specify|split|stack|start with|stick (?:with|to)|stop|store|strip|support|swap|switch|target|throw|track|treat|trim|turn|unify|update|upgrade|use|validate|version|wire|wrap';

/** Verbs that ask for one act or for an answer: running, looking, telling. */
const passingVerbs =
  'analy[sz]e|answer|ask|audit|check|clarify|commit|compare|confirm|consider|continue|debug|deploy|describe|discuss|do (?:it|that|this|so|verify|check|test|run)|double[- ]check|explain|explore|figure out|find|fix|follow|give me|go ahead(?: and)?|go on|have a (?:look|think|chat)|hand|help|install|investigate|let me know|list|look|make sure (?:it|that it|the tests?|everything|all) (?:works?|pass|runs?)|move on|open|proceed(?: with)?|execute|propose|pull|push|read|recommend|remember|report|reproduce|research|rerun|restart|review|run|search|see|send|share|show me|start(?! \\w+ing)|suggest|sum up|summari[sz]e|take|talk|tell|test|think|trace|try|turn our attention|understand|update the (?:docs?|documentation|changelog|plan|todo)|verify|wait|walk|watch|write (?:it|this|that) (?:up|down|as)|write up|commit and push';

/** A noun at the start of a statement looks like an order: "search should start …". */
const isSubject = '(?!\\s+(?:should|must|needs?|is|are|has|have|will|can|does|was|shouldn))';

/** Opens with an order that shapes the work. */
export const opensWithShaping = new RegExp(`^(?:${shapingVerbs})\\b${isSubject}`, 'i');
/** Opens with an order for one act or one answer. */
export const opensWithPassing = new RegExp(`^(?:${passingVerbs})\\b${isSubject}`, 'i');

/** One act on what was just spoken of, which is done once and sets no rule for later: "rename it to X". */
export const actsOnce =
  /^(?:let'?s |let us |i (?:want|would like|'d like) (?:you )?to |can you |could you )*(?:copy|create|delete|drop|fix|merge|move|put|remove|rename|reset|revert|run|save|undo) (?:it|them|this|that|these|those|both|all of (?:it|them))\b|^(?:implement|execute|apply|carry out) (?:it|(?:the|this|that|your) (?:plan|changes?|proposals?|suggestions?|fix(?:es)?))[.!]?$/i;

/** The act that a wish or an obligation names: "we need to <act>", "we can <act>". */
export const namesAct =
  /\b(?:(?:need|needs|want|wants|have|has|like|prefer|going|got|ought|supposed) to|(?:we|you|it|they|i) (?:can|could|should|will|'ll|must)|we'll)\s+(?:also |just |then |now |really |at least )*(?<act>\w.*)/i;

/** We can do a thing: a choice where the thing shapes the work. */
export const permits = /\b(?:we|you|it|they) (?:can|could)\s+(?:also |just |then |now )*(?<act>\w.*)/i;

/** Put off, or left out: the scope. */
export const setsScope =
  /\b(?:we|i)(?:'re| are|'ll| will|'m| am)? not (?:\w+ing|going to|doing)\b|\bnot (?:needed|required|in scope|part of)\b|\bout of scope\b|\b(?:we|i)(?:'ll| will)\b.{0,60}\b(?:later|afterwards?|separately|next|another (?:pr|time|session)|follow-?up)\b|\b(?:is|are) (?:very |really |super )?(?:important|essential|crucial|critical|required|mandatory|necessary)\b|\bi thought we(?:'d| were| had| agreed| decided| said)\b/i;

/** The speaker says that he changed his mind. */
export const changesMind =
  /^(?:make|use|take|keep|pick|choose|go with|put) .{2,80} after all[.!]*$|\b(?:i(?:['’]ve| have)? changed my mind|i take (?:it|that) back|i meant(?! to\b))\b|(?<![\p{L}])(?:ich habe es mir anders überlegt|ich meinte|je voulais dire|quise decir|quería decir|я имел\p{L}* в виду|j['’]ai changé d['’]avis|he cambiado de (?:idea|opinión)|я передумал\p{L}*)(?![\p{L}])|我改(?:变)?主意|我(?:的意思)?是说|我指的是|気が変わ/iu;

/** A pronoun that refers to what was said before. */
export const refersBack = /\b(?:it|them|those|these|this|that|ones?)\b/i;

/** "Let's …", where what follows is the choice. */
export const proposesTogether =
  /\b(?:let'?s|let us)\s+(?:also\s+|just\s+|actually\s+|then\s+|please\s+)?(?<rest>\S[\s\S]*)/i;

/** Will and obligation, said of the thing or of oneself. */
export const statesWill =
  /\b(?:should(?:n'?t)?|must(?:n'?t)?|needs? to|(?<!(?:the|no|a|any|and|of)\s+)needs?(?! ?\/)|has to|have to|ought to|wants?|don'?t (?:need|want)|do not (?:need|want)|(?:i|we)(?:'d| would) (?:like|prefer|rather)|prefer|i'?m going with|we(?:'re| are) going (?:to|with)|going to (?:use|start|need|have)|supposed to|is to be|are to be|can'?t be|no need|not necessary|won'?t|will be|will use|shall)\b/i;

/** An option named and accepted: "X is fine", "X works for me". */
export const acceptsNamed =
  /^(?<what>.{2,120}?)\s+(?:is|are|sounds?|looks?|seems?|works?|would be)\s+(?:totally |perfectly |all |like )?(?:fine|ok(?:ay)?|good|great|perfect|right|best|the right|for me|better|preferable)\b/i;

/** The user speaks of himself, of the past, or of what he sees: reports, not choices. */
export const reports =
  /^(?:i(?:['’]ve| have)? (?:already |just |now )?(?!need\b|decided|wanted|needed|preferred|agreed)[a-z]{2,}ed|i (?:should|must|really should|see|saw|tried|ran|got|get|installed|noticed|just|have|had|am|was|did|don'?t (?:know|get|see|understand)|need (?:to (?:go|know|understand|see)|you|help)|thought|wonder|assume|can(?:'t| see)|understand)|they (?:are|can|need|have)|it (?:is|was|seems|looks|works|fails|says|shows|doesn'?t|didn'?t|still)|(?:be)?cause\b|(?:be)?cause there|there(?:'s| is| are| was| could| might| may)|this (?:is|was)|that(?:'s| is| was)|here(?:'s| is| are)|when (?:i|you)|why|what|how|where|who|which|if i)\b/i;

/** A sentence that only asks what the other thinks. */
export const asksOpinion = /^(?:any |your )?(?:thoughts|opinions?|ideas|what do you think|wdyt|feedback|comments)\b/i;

/** A line after which the user quotes somebody else. */
export const introducesQuote =
  /\b(?:suggest(?:s|ed|ions?)|says?|said|wrote|writes|reports?|reported|review(?:er)?|feedback|comment(?:s|ed)?|output|error|logs?|got this|i see|returned|prints?)\b[^:]{0,60}:\s*$/i;

/** A question that is a polite order: "can we …", "why don't you …". */
export const asksForAct =
  /^(?:can(?:'?t)?|could(?:n'?t)?|would(?:n'?t)?|should(?:n'?t)?|shall|will|(?:is|would) it be possible (?:for \w+ )?to|is it possible (?:for \w+ )?to|do you mind|why (?:don'?t|not)|how about|what about|what if)\s*(?:we|you|it|this|that|they|the|i|there|not|also|just|be|please|\s)*\s*(?<act>.*)/i;

/** An answer that takes a question as an order and does it. */
export const carriesOut =
  /^(?:(?:yes|yep|yeah|sure|absolutely|definitely|of course|certainly|agreed|right|great|good (?:point|call|idea|catch)|done|fixed|got it|makes? (?:total |perfect |a lot of )?sense|you'?re (?:absolutely |totally |completely )?right|exactly|confirmed|locked in|will do|on it|perfect|fair|ok(?:ay)?|understood|no problem|happy to|great (?:idea|suggestion|direction|point))\b|i(?:'ll| will| have|'ve)\b|let me (?:add|remove|update|move|rename|change|make|fix|create|implement|apply|wire|replace|set|refactor|switch|do|also|put)|now (?:i'll|let me)|(?:added|removed|updated|moved|renamed|changed|implemented|created|replaced|switched)\b)/i;

/** Refuses, or takes back what was just said. */
export const takesBack =
  /^(?:(?:oh|ah|hm+|but|well|ok(?:ay)?|actually|yes|yeah|ja)[,.! -]+)*(?:(?:no|nope|nah|nein|non|нет)(?=\s*(?:[,.!;:–—-]|$)|\s+(?:wait|way|don['’]?t|not|i|we|that|it|this|thanks?|please|lass|das|nicht|danke|merci|gracias|не|оставь)(?![\p{L}]))|(?:neither|none|wait|wrong|sorry|scratch that|halt|falsch)(?![\p{L}\d'’])|不是|不对|等等|等一下|いや|違)/iu;

/** A short acceptance, strong: nothing else can be meant. */
export const acceptsStrongly =
  /^(?:yes|yep|yup|yeah|yea|y|sure|go ahead(?! and (?!do|implement|proceed|apply|make|start))|go for it|do it|do that|do so|do both|do all|please do|proceed|agreed?|i agree|approved?|lgtm|sounds (?:good|great|right|perfect|fine)|looks good|ship it|make it so|works for me|that works|let'?s do (?:it|that|this|both)|let'?s go(?: with (?:it|that|this))?|absolutely|definitely|exactly|correct|fine|implement (?:it|that|this)|apply (?:it|that|them|these|all)|go with (?:it|that|your)|ok go|perfect|ja\b|jo|jep|mach (?:das|es)|machen wir|einverstanden|passt|klingt gut|gerne|genau)\b/i;

/** A short acceptance, weak: also said to open a new subject. */
export const acceptsWeakly =
  /^(?:ok(?:ay)?|k|great|good|cool|nice|perfect|awesome|right|alright|fine|thanks|all good|makes sense|super|gut)\b/i;

/** The assistant offers to do something. */
export const offers =
  /\b(?:want me to|would you like(?: me)?(?: to)?|should i|shall i|do you want(?: me)?(?: to)?|ready to proceed|proceed with|let me know if|say the word|if you(?:'d| would) like|if you (?:want|wish|prefer)[^.]{0,40}?,? i (?:can|could)|agree|sound good|does (?:this|that) (?:look|sound|work)|which (?:direction|option|one|approach|do you)|ok to (?:proceed|go)|anything (?:you would|to) change|soll(?:en)? (?:ich|wir)|möchtest du|passt das)\b/i;

/** The assistant recommends. */
export const recommends =
  /\b(?:i(?:'d| would)(?: strongly| rather| just| also| still)? (?:recommend|suggest|go|propose|use|keep|start|lean|pick|choose|add|make)|i (?:recommend|suggest|propose)|my (?:recommendation|suggestion|pick|preference|take)|recommend(?:ation|ed)?|proposed|proposal|ich würde|empfehle|schlage vor|vorschlag)\b/i;

/** The assistant says what he would do. */
export const wouldDo =
  /^(?:ok(?:ay)?[,.]? |so |then )?i(?:'d| would)(?: rather| just| also| still)? (?!like|be\b|say|need|have|want|estimate|expect|guess|assume|ask|love|not\b|call|think|imagine)[a-z]+/i;

/** Headings over what the assistant means to do. */
export const proposalHeading =
  /\b(?:recommend|propos|plan|approach|changes|updates?|required|to (?:move|change|update)|the fix|fix|solution|design|suggest|next steps?|implementation|what i(?:'d| would| will)|shape|strategy|architecture|decisions?|principles?)/i;

/** The answer does not do it. */
export const declines =
  /\b(?:i can't|i cannot|i won't|can't do|i'd (?:advise|recommend) against|not recommended|^no,)/i;

/** Said as a ban or a delay. */
export const forbids =
  /^(?:don'?t (?!worry|forget|know|think|see|get|understand|you|we|i\b|they)|do not |never |no need|not now|not yet|not worth|hold off|leave |no (?:new|more|extra|other|external|additional|further|need|changes?|renames?|backfills?|\w+s\b)(?! (?:problem|worries|idea))|keine? |nicht )/i;

/** What the user has to do himself. */
export const isOwnDuty = /^i (?:really |just |also |probably )?(?:should|must|ought)\b/i;

/** An order that only accepts what was proposed. */
export const onlyAccepts = /^(?:mach(?:en wir)? (?:das|es)|do (?:it|that|this|so))[.! ]*$/i;

/** What German speakers order, wish, rule out or leave as it is. */
export const ordersInGerman =
  /^(?:wir|ich) (?:lassen|nehmen|machen|brauchen|wollen|müssen|sollten|verwenden|nutzen|bleiben|behalten|will|möchte|hätte gern|brauche)\b|^(?:lass(?:t)? uns|mach|nimm|verwende|benutze|füge|entferne|lösche|ändere|baue|schreib|ersetze|behalte)\b|\b(?:soll(?:en|te|ten)?|muss|müssen|darf|dürfen)\b(?! (?:ich|wir)\b)|\b(?:bitte keine?|lassen wir|lass uns)\b/i;

/** What a German speaker only wants to know, or to have done once. */
export const asksInGerman = /^(?:schau|zeig|erklär|prüf|teste|führ|sag|was|wie|warum|wieso|wann|wer|wo|welche)\w*\b/i;

/** Words of choice that settle something even within a report. */
export const settlesInReport = /\b(?:should(?:n'?t)?|must|instead of|rather than)\b/i;

/** Said of what is to become of a thing. */
export const proposes =
  /\b(?:(?:could|can|should|would|needs? to|must) (?:\w+ )?(?:be (?:deleted|removed|moved|renamed|replaced|added|dropped)|become|remove|delete|use|replace|move|drop|switch|add)|upgrade|replace|instead of|rather than|change (?:from|to)|use built-in|switch to)\b/i;

/** An offer turned down for the time being. */
export const putsOff =
  /^(?:not (?:now|yet|today|worth)|later|no need|hold off|skip (?:it|that)|drop (?:it|that)|leave (?:it|that)|maybe later|don'?t bother|then not|erstmal nicht|noch nicht|später|nicht jetzt)\b/i;

/** The words of licences and terms, which are not decided in a conversation. */
export const isLegal =
  /\b(?:hereby|herein|hereof|thereof|licensors?|licensees?|sublicense|copyright (?:notice|holders?)|permission notice|warrant(?:y|ies)|liab(?:le|ility)|indemnif\w+|merchantability|derivative works?)\b/i;

/** Headings and lines over what a person requires. */
export const introducesRequirements =
  /\b(?:requirements?|must[- ]haves?|goals?|constraints?|acceptance(?: criteria)?|spec(?:ification)?s?|rules?|expected behaviou?r|behaviou?r|what (?:i|we) (?:want|need)|i(?:'d)? (?:want|need|like)|we (?:want|need)|it (?:should|must)|should|must|changes|anforderungen|ziele|regeln)\b/i;

/** A line whose list says what a product does or what there is: "It allows organizers to:", "We already built:". */
export const leadsDescription =
  /\b(?:allows?|enables?|lets|helps?)\b[^.!?]*$|\b(?:that|which|it|they) (?:can|will)$|\b(?:already|currently|so far)\b[^.!?]*$/i;

/** Headings and lines over what a person leaves out. */
export const introducesExclusions =
  /\b(?:out of scope|non-?goals?|not in scope|not (?:needed|required|now)|won'?t (?:do|have)|exclu(?:ded|sions?)|nicht (?:im|teil))\b/i;

/** Opens like a question; many are written without their mark. */
export const asks =
  /^(?:do|does|did|is|are|was|were|have|has|what|why|how|where|which|who|when|any)\b(?! (?:it|that|this|so|not)\b)/i;

/** The person has not decided: "make it bigger or something, idk". */
export const leavesOpen =
  /\b(?:idk|(?:i'?m|i am) not (?:so |really )?sure|or something|i (?:don'?t|do not) know|no idea)\b/i;

/** The speaker insists, no matter what the other one thinks. */
export const insists =
  /\b(?:must|(?:i|we)(?:'d| would)? (?:want|like us|need|have to)|(?:i|we) don'?t want|has to|have to|should(?:n'?t)?|never|always|out of scope|not needed|required)\b/i;

/** The user wants to understand what is there. */
export const asksForExplanation =
  /^(?:(?:please|can you|could you) )*(?:explain|describe|show me|tell me|what (?:is|are|does)|how does|why (?:is|are|does|do|did)|what happened|was ist|wie funktioniert)\b/i;
