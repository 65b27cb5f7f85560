/** Words by which people say that something may go wrong, in tables. */

/** Enough alone: the sentence speaks of a danger, a gap or a limit. */
export const strong =
  /\b(?:(?<!(?:low|lower|lowest|minimum|minimal|zero|no)[- ])risks?(?!-free)|risky|caveat|concern(?:s|ed|ing)?|worr(?:y|ied|ies)|danger(?:ous)?|gotcha|pitfall|downside|trade-?off|limitation|race condition|unverified|untested|not (?:been )?(?:verified|tested|exercised|covered|validated)|couldn'?t (?:\w+ )?(?:verify|test|exercise|drive|run|check|confirm|reproduce)|could not (?:\w+ )?(?:verify|test|exercise|check|confirm)|(?:haven'?t|have not|hasn'?t|has not)(?: been)? (?:\w+[- ]){0,2}(?:verified|tested|checked|measured|thought|looked|profiled|exercised)|could only (?:check|test|verify|run|try)|only (?:tested|checked|verified|tried) (?:in|on|with|by|locally)|still (?:needs?|requires?|depends?|lacks?)|worth (?:flagging|noting)|keep in mind|be aware|heads[- ]up|achtung|vorsicht|nicht getestet|ungetestet|risiko|ungeklärt|unklar|doesn'?t survive|don'?t survive|can'?t survive|won'?t survive|data loss|accidental(?:ly)?|would break|could break|may break|might break|will break|breaks? (?:if|when|on|existing)|fails? (?:if|when)|without (?:it|this|that),|no (?:throttling|validation|rate limit|tests?|fallback|retry|migration|way to|guarantee|protection)\b|vulnerab\w+|leak(?:s|ed|ing)?|unbounded|deadlock|memory leak|out of sync|needs? a real|depends? on|unknown|no .{1,40} (?:available|possible|yet)|failing to|unclear|not sure (?:if|whether|that|how)|be careful|watch out|beware|open question|edge cases)\b/i;

/** Possibility and lack: everyday words, which count only together with others. */
export const weak =
  /\b(?:could|might|may|would|can'?t|cannot|not yet|no .{1,30} yet|only|however|but|unless|until|if|verify|ensure|make sure|still|limited|never|doesn'?t|won'?t|must|handle|note that|consider|könnte|wenn|falls)\b/i;

/** What the harm would be. */
export const harm =
  /\b(?:silently|stale|accumulat\w+|assum(?:e|es|ing|ption)|lose|loses|lost|loss|break|breaks|broken|fail|fails|failing|failure|wrong|confus\w+|corrupt\w*|crash\w*|leak\w*|exhaust\w*|block(?:s|ed|ing)?|conflict\w*|collide\w*|duplicate\w*|inconsisten\w+|slow\w*|delay\w*|overflow|timeout|time out|expos\w+|privacy|insecure|attack\w*|malicious|orphan\w*|unattributable|impossible|obscure|regress\w*|degrad\w+|outage|down ?time|mislead\w*|incompatib\w+|backward compatib\w+|migration|missing|malformed|goof|pile up|fall(?:s|ing)? behind|cut off|hard(?:er)? to|tension|lossy|verloren|gelöscht|kaputt|too (?:slow|large|big|easy|many|much))\b/i;

/** Headings over risks. */
export const riskHeading =
  /\b(?:risks?|caveats?|concerns?|considerations?|limitations?|known issues?|gotchas?|warnings?|trade-?offs?|worth flagging|open questions?|could not|couldn'?t|verification checklist|potential)\b/i;

/** Under a heading of an option, drawbacks are the option's own. */
export const optionHeading = /\b(?:options?|alternatives?|pros|cons)\b/i;

/** Said to calm, or of the past, or of what was just done: no risk is left. */
export const settled =
  /\b(?:no (?:risk|issue|problem|concern)s?\b|low risk|safe because|harmless|benign|negligible|nothing (?:urgent|accumulates)|lowest risk|not an edge case|correct\)|by design|already (?:tested|covered|handled|checked)|ready (?:to|for)|not a (?:problem|concern|bug)|is fine|0 issues|all (?:tests )?pass|tests? pass|fixed|resolved|let me|i'll|now (?:i|let)|what i (?:verified|checked|confirmed)|i (?:verified|confirmed|checked) (?!only)|previously|used to|the (?:bug|problem|issue) (?:was|is)|root cause|pre-existing|want me to|would you like|i'd recommend|i recommend|my recommendation|i'd suggest|are expected)\b/i;

/** A later word that the concern is gone. */
export const reportsFixed = /\b(?:fixed|resolved|no longer|now (?:handles?|works?|passes|verified)|verified)\b/i;

/** Harm to data, people or the whole. */
export const severe =
  /\b(?:data loss|los(?:e|es|t|ing) (?:\w+ ){0,2}(?:data|history|work|writes?|records?)|secur\w+|privacy|private|(?:leak|expos|publish|commit|steal)\w* (?:\w+ ){0,3}(?:data|secrets?|tokens?|credentials?|keys?|history)|attackers?|vulnerab\w+|injection|publish your|production (?:down|outage)|system-wide|unattributable|irreversibl\w+|exhaust\w*|defeat\w*|accumulat\w+)\b/i;

/** Rare, cosmetic or easily worked round. */
export const minor =
  /\b(?:minor|small|rare(?:ly)?|unlikely|cosmetic|edge case|obscure|narrow|trivial|cheap|tiny|slight(?:ly)?|wide|tidiness|harmless|nice to have|simply|theoretical|malformed|no throttling|at a quick glance|naming|label|wording|tags?)\b/i;

/** The speaker says that he is afraid of something. */
export const fears = /\b(?:risks?|risky|concern(?:s|ed)?|worr(?:y|ied)|afraid|danger\w*|be careful|watch out)\b/i;

/** The answer agrees with a complaint by saying it again. */
export const agrees =
  /^(?:right|good (?:catch|point|call)|you'?re (?:absolutely |completely )?right|yes|yep|yeah|exactly|agreed|got it|fair|understood|true)\b/i;

/** The user complains of how it is: that is the task. */
export const complains =
  /\b(?:there(?:'s| is| are)|we (?:have|get|see)|i (?:see|get|got|noticed|have|had)|it (?:works|shows|looks|takes|does)|why)\b/i;

/** An order for how a thing is to behave. */
export const orders =
  /^(?:fail|return|show|add|store|use|throw|update|print|write|abort|reject|skip|run|get|so get|create|remove|change|make|set|keep|the \w+ (?:must|should) (?!not\b|still\b))/i;

/** What was tried and given up is a dead end. */
export const wasTried = /\b(?:i|we) (?:first )?(?:tried|attempted)\b/i;

/** Says of what was just said that it is unverified, or what it leads to. */
export const refersBack = /^(?:\W*\w+\W+){0,4}(?:that|this|it|these|those)\b/i;
