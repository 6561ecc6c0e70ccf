/**
 * The word lists of the grammar: versioned data. Every proposal records the hash of this file's content.
 *
 * All words are ASCII lower case, separated by `|`; a phrase is its tokens joined by spaces. Verbs are in
 * their own file, {@link VERBS}, and hashed with these.
 *
 * @module
 */

/** Version of the grammar: of the code that reads these lists. */
export const GRAMMAR_VERSION = 'rules/1';

/** The word lists. Changing one changes the lexicon's hash, and with it what runs record. */
export const LEXICON: Readonly<Record<WordList, string>> = {
  /** Phrases of a demand; the longest that fits counts. */
  must:
    'must|shall|has to|have to|had better|needs to|need to|needs|need|is required|' +
    'are required|is required to|are required to|is to|are to|is due|are due|is mandatory|' +
    'are mandatory|is compulsory|are compulsory|is essential|are essential|is obliged to|' +
    'are obliged to|is expected to|are expected to|is supposed to|are supposed to|' +
    'is responsible for|are responsible for|undertakes to|agrees to|want|wants|we expect|' +
    "i expect|require|requires|insist on|insists on|will|we've got to|i've got to|got to|" +
    "gotta|mustn't|is imperative|are imperative|is vital|are vital|is obligatory|" +
    'are obligatory|is necessary|are necessary|is bound to|are bound to|ensures that|' +
    "commits to|it's got to|needs must|is important that|is crucial that|it's important that|" +
    "it's essential that|it's vital that|it's crucial that|ask you to|we ask that|" +
    'we request that|is asked to|are asked to|is requested to|are requested to|' +
    'is instructed to|are instructed to|it is important that|it is essential that|' +
    'it is vital that|is indispensable|are indispensable|is a must|are a must|' +
    'is a requirement|are a requirement|is a prerequisite|are a prerequisite|' +
    'is non - negotiable|are non - negotiable|is called for|are called for|is demanded|' +
    "are demanded|we demand|demands|is expected|are expected|is needed|are needed|we'll need|" +
    "i'll need|you'll need|they'll need|will need|will need to|will have to|is meant to|" +
    'are meant to|is obligated to|are obligated to|is liable to|calls for|it is necessary to|' +
    "it's necessary to|it is important to|it's important to|it's essential to|" +
    "it is essential to|it's crucial to|it is crucial to|it's vital to|it is vital to|" +
    'make sure|makes sure|take care that|see to it that|be sure to|is crucial|are crucial|' +
    'is critical|are critical|is key|is paramount|is imperative to|is a condition|' +
    "we're asking for|we are asking for|we ask for|i ask for|we're looking for|" +
    "we are looking for|i'm looking for|i am looking for|we're after|looking for|we seek|" +
    'in need of|is charged with|are charged with|is bound by|are bound by|is bound|' +
    'warrants that|guarantees that|undertake to|covenants to|is committed to|' +
    "are committed to|won't do without|cannot do without|can't do without|ha to|hast to|" +
    'requires that|require that|demand that|insist that|insists that|stipulates that',
  /** Phrases of a wish. */
  should:
    "should|ought to|would like|we'd like|i'd like|they'd like|he'd like|she'd like|i'd love|" +
    "we'd love|i'd prefer|we'd prefer|would be nice|would be great|would be good|" +
    'would be helpful|would be useful|would be lovely|would be better|would be best|' +
    'would be ideal|would be ok|would be welcome|would be appreciated|would help|would love|' +
    "would prefer|prefer|prefers|ideally|preferably|nice to have|i'd suggest|we suggest|" +
    "i suggest|i propose|we propose|i recommend|we recommend|i'd recommend|i'd rather|" +
    "we'd rather|recommended|is desirable|are desirable|is preferred|are preferred|hopefully|" +
    "has asked for|have asked for|asks for|could|shouldn't|it'd be nice|it'd be great|" +
    "it'd be good|it'd be lovely|it'd be helpful|would be fantastic|would be perfect|" +
    'would be wonderful|would be very welcome|would be very nice|would appreciate|' +
    "we'd appreciate|i'd appreciate|would suggest|would recommend|would rather|advisable|" +
    'is advised|are advised|is encouraged|are encouraged|is nice to have|is a nice to have|' +
    "i'd expect|we'd expect|would expect|would also help|would also be nice|" +
    'would also be great|would also be good|would also be helpful|would also be useful|' +
    "would also like|i'd also like|we'd also like|would really help|would be grateful for|" +
    'would be grateful if|would really like|would be much appreciated|would be fine|' +
    "would very much like|we'd very much like|i'd very much like|would dearly like|" +
    "would quite like|i'd quite like|we'd quite like|we'd really like|i'd really like|" +
    "would also prefer|would ideally|it'd help|it would help|would make sense|" +
    'would be a plus|is a plus|are a plus|is a bonus|would be a bonus|would be desirable|' +
    'would be preferable|would be preferred|would be handy|would be neat|would be cool|' +
    'would be awesome|would be convenient|would be sensible|would be wise|' +
    'would be a good idea|would be happier|would be happy if|would be happy with|' +
    "we'd be happy with|i'd be happy with|we'd be happy if|i'd be happy if|would be glad if|" +
    "we'd be glad if|i'd be glad if|would be delighted|we'd be grateful|i'd be grateful|" +
    "we'd welcome|i'd welcome|would welcome|i wish|we wish|wishes|is wished|is wished for|" +
    'is to be preferred|are to be preferred|is advantageous|are advantageous|is an advantage|' +
    'are an advantage|is suggested|are suggested|is recommended|are recommended|is best|' +
    "are best|do best to|best to|i'd propose|we'd propose|would propose|if at all possible|" +
    'wherever feasible|we hope|i hope that|we hope that|strive to|strives to|aim to|aims to|' +
    'aim for|aims for|endeavour to|endeavours to|try to|tries to|we favour|i favour|' +
    "would favour|we lean towards|mustn't necessarily|oughtn't to|oughtn't|might want to|" +
    'may want to|you may wish to|if possible',
  /** Phrases of a permission. */
  may:
    'may|is exempt from|are exempt from|only allowed|is allowed|are allowed|is also allowed|' +
    'is permitted|are permitted|is welcome|are welcome|is fine|is ok|is okay|is acceptable|' +
    'are acceptable|is optional|are optional|are free to|is free to|is entitled to|' +
    "are entitled to|feel free to|need not|needn't|not obliged|not required|not mandatory|" +
    "not necessary|no need|no obligation|does not have to|do not have to|don't have to|" +
    "doesn't have to|does not need to|do not need to|don't need to|doesn't need to|" +
    "isn't required|aren't required|isn't needed|aren't needed|isn't necessary|" +
    "aren't necessary|isn't obliged|aren't obliged|isn't mandatory|aren't mandatory|" +
    "isn't compulsory|not compulsory|isn't a must|not a must|under no obligation|" +
    'does not oblige|do not oblige|is not bound to|are not bound to|not needed|' +
    'reserves the right|has the right|have the right|is at liberty to|are at liberty to|' +
    'is authorised to|are authorised to|is authorized to|are authorized to|' +
    "is not expected to|are not expected to|is no need|we don't need|don't need|do not need|" +
    "doesn't need|does not need|nobody has to|nobody needs to|no one has to|no one needs to|" +
    'nobody is required to|nobody must|need no|needs no|are voluntary|is voluntary|' +
    'is unnecessary|are unnecessary|is dispensable|is at the discretion|at their discretion|' +
    'at its discretion|at his discretion|at her discretion|is tolerated|are tolerated|' +
    "no objection to|no objections to|nothing against|don't mind|doesn't matter|is allowable|" +
    'is all right|are all right|is alright|is open to|are open to|can do without|' +
    "could do without|don't hesitate to|do not hesitate to|is negotiable|are negotiable|" +
    "by choice|is at your discretion|aren't a must|aren't a requirement|isn't a requirement|" +
    "not a requirement|not be required|not be necessary|not be needed|hasn't to|" +
    "hasn't got to|haven't got to|isn't obligatory|not obligatory|aren't obligatory|are fine|" +
    'are okay|are ok|reserve the right|reserves the right to|reserve the right to|' +
    'is up to the|is up to you|are up to the|are up to you|nobody is obliged to|' +
    'no one is obliged to|nobody is forced to|no one is forced to|nobody is expected to|' +
    'no one is expected to|no one is required to|entitles|entitle',
  /** Phrases of a prohibition that hold their negation themselves. */
  forbidden:
    'be made impossible|not allowed|not permitted|not acceptable|not accepted|prohibited|' +
    'forbidden|banned|not tolerated|unacceptable|out of scope|not in scope|not part of|' +
    'off limits|not an option|no go|not wanted|not desired|refrain from|refrains from|' +
    'under no circumstances|on no account|in no case|at no time|excluded from|is excluded|' +
    "are excluded|is ruled out|isn't allowed|aren't allowed|isn't permitted|aren't permitted|" +
    'be avoided|be excluded|are avoided|is avoided|be refused|out of the question|a no - go|' +
    "no - go|isn't an option|off the table|taboo|is barred|are barred|is disallowed|" +
    'are disallowed|be ruled out|not needed in this version|ask you not to|asked not to|' +
    "requested not to|is not to be|are not to be|instructed not to|aren't an option|" +
    "aren't options|have no place|has no place|have no business|has no business|" +
    "isn't acceptable|aren't acceptable|isn't accepted|aren't accepted|isn't welcome|" +
    "aren't welcome|not welcome|isn't wanted|aren't wanted|isn't tolerated|aren't tolerated|" +
    'not an acceptable|is frowned upon|must be avoided|is vetoed|are vetoed|is off limits|' +
    'are off limits|is not on|is unwanted|are unwanted|is undesirable|are undesirable|' +
    'is inadmissible|are inadmissible|inadmissible|impermissible|not admissible|no - no|' +
    'a no no|is a no no|strictly prohibited|strictly forbidden|are ruled out|ruled out|' +
    "keep out|isn't in scope|aren't in scope|isn't part of|aren't part of|isn't included|" +
    "aren't included|is outlawed|is unlawful|are unlawful|is illegal|no excuse|not eligible|" +
    'ineligible|not available to|stay away from|stays away from|keep away from|' +
    "steer clear of|not negotiable to|not supported|not entitled to|isn't entitled to|" +
    "aren't entitled to|barred from|banned from|prohibited from|debarred from|precluded from|" +
    'abstain from|abstains from|desist from|be turned away|are turned away|be disqualified|' +
    'are disqualified|be disregarded',
  /** Words that negate. */
  negation: 'not|never|no|nobody|none|nothing|neither|nor|cannot|no - one|no one',
  /** Words that open a condition. */
  condition:
    'if|when|while|whilst|as soon as|as long as|provided that|provided|in case|in the event|' +
    'in the event of|in the event that|during|whenever|wherever|once|where|given|assuming|' +
    'should|only if|only when|even if|even when|upon|after|outside',
  /** Words that open a condition behind a clause. */
  trailing:
    'if|when|while|whilst|as soon as|as long as|provided that|provided|in case|in case of|' +
    'in the event of|during|whenever|once|where|only if|only when|even if|even when|upon|' +
    'after|before|until|outside|for as long as',
  /** Words that open a condition in front, up to the subject. */
  leading:
    'during|after|before|until|till|upon|on request|on demand|in case of|in case|' +
    'in the event of|in an emergency|in emergencies|in urgent cases|in exceptional cases|' +
    'in that case|in this case|in winter|in summer|outside|without|with|below that|' +
    'above that|for payment|for every|at night|at weekends|from then on|on weekdays|' +
    'on weekends|on school days|on working days|under load|in normal operation|between|' +
    'in that event|in this event|failing that|otherwise|in which case|under no load|' +
    'from then|in any event|at the choice of|for the sake of|at present|failing which',
  /** Words that open an exception. */
  exception:
    'unless|except|except for|except in|except when|except if|except where|except on|' +
    'excepting|excluding|other than|apart from|with the exception of|with exception of|' +
    'save for|but not|not counting|without prior|without written|without the written|' +
    'without consent|without the consent|without permission|without the permission|' +
    'without approval|without the approval|without explicit|without express|without asking|' +
    'without a manager|without a signature|without authorisation|without authorization|' +
    'without the knowledge|save where|save in|save when|save if|but for|with exceptions for|' +
    'without its consent|without their consent|without his consent|without prior notice|' +
    'without notice|save with|except with|excepted|aside from|barring|but never|' +
    'with the sole exception of|without our ok|without our consent|without my ok|' +
    'without my consent|without an explicit|without first|without prior written consent|' +
    'without agreement|without the agreement|without our approval|without supervision|' +
    'without an appointment|without special permission',
  /** What praises a demand before it is said: it binds, and stands outside the words of the demand. */
  preface:
    'it is important that|it is essential that|it is vital that|it is crucial that|' +
    'it is imperative that|it is necessary that|it is mandatory that|it is required that|' +
    'it is desirable that|it is advisable that|it is recommended that|it is preferred that|' +
    "it's important that|it's essential that|it's vital that|it's crucial that|" +
    "it's imperative that|it's necessary that|it's mandatory that|it's key that|" +
    "it is key that|it is critical that|it's critical that|it's important to us that|" +
    'it is important to us that|important to us is that|note that|please note that|' +
    'be aware that|remember that|bear in mind that|keep in mind that|it follows that|' +
    'it would be nice if|it would be nice to|it would be great if|it would be great to|' +
    'it would be helpful if|it would be helpful to|it would be good if|it would be good to|' +
    'it would be lovely if|it would be lovely to|it would be useful if|it would be useful to|' +
    'it would be better if|it would be better to|it would be best if|it would be best to|' +
    'it would be wonderful if|it would be wonderful to|it would be fantastic if|' +
    'it would be fantastic to|it would be ideal if|it would be ideal to|it would help if|' +
    "it'd be nice if|it'd be great if|i would appreciate it if|we would appreciate it if|" +
    "i'd appreciate it if|it would be appreciated if",
  /** Phrases that forbid what stands behind them. */
  never:
    'under no circumstances|under no circumstance|on no account|in no case|at no time|' +
    'by no means|at no point|at no stage|in no way|in no event|in no circumstances|' +
    'under no condition|under no conditions|not under any circumstances|' +
    'no matter what happens never',
  /** Words that open a reason: what follows carries no demand of its own. */
  reason:
    'because|since|as otherwise|so that|in order to|in order that|otherwise|or else|' +
    'given that|which is why|that way|thus|hence|the reason',
  /** Headings and stems whose items are demands, wishes, permissions or prohibitions. */
  stemMust:
    "must|do's|dos|must have|must - have|must haves|must - haves|shall|requirements|" +
    'requirement|required|expect|expected|we need|i need|need|needs|want|wants|has to|' +
    'have to|rules|rule|do|to do|todo|needed|acceptance criteria|acceptance|specification|' +
    'specifications|constraints|conditions|obligations|duties|demands|deliverables|criteria|' +
    'includes|in scope|house rules|please',
  stemShould:
    'should|should have|nice to have|nice - to - have|nice to haves|would like|suggest|' +
    'suggestions|suggestion|proposal|wishes|wish list|wishlist|ideally|could have|' +
    'would be good|optional wishes|wish',
  stemMay: 'may|allowed|permitted|optional|optionally|allowed items|welcome',
  stemNot:
    'must not|shall not|may not|should not have|will not|cannot|can not|not in this version|' +
    'out of scope|not in scope|not included|not allowed|not permitted|forbidden|prohibited|' +
    "never|do not|don't|dont|non - goals|non goals|exclusions|excluded|not wanted|no go|" +
    "not part|won't have|won't|not needed here|not covered|don'ts|donts|do nots|no - go|" +
    "no - gos|no - goes|no gos|must nots|must - nots|you may not|we do not want|don't want|" +
    'off limits|not in this release|not in this phase|not now|prohibitions|disallowed|banned|' +
    'not permissible|taboos|not acceptable',
  /** Headings and labels under which a text tells what is, not what is wanted. */
  stemBackground:
    'background|introduction|intro|context|about us|about|history|current situation|' +
    'present situation|situation|current state|today|problem|problem statement|steps|' +
    'steps to reproduce|to reproduce|actual|actual result|actual behaviour|actual behavior|' +
    'actual behavior|observed|environment|setup|version|versions|what happens|what happened|' +
    'what i see|what we have|got|instead|why|motivation|overview|attachments|attached|reason|' +
    'ps|symptom|symptoms|what goes wrong',
  /** Labels of a line that is an address, no sentence. */
  stemLine:
    'subject|re|fwd|from|cc|bcc|sent|reference|ref|title|author|attn|tel|phone|mobile|ticket|' +
    'reporter|assignee|priority|component|labels|status|date|feature request|bug report|bug|' +
    'question|topic|edit|fyi',
  /** Signs of background: the past, a state now, thanks, a greeting. */
  background:
    'ago|currently|at the moment|at present|so far|as promised|thank|thanks|regards|hello|' +
    'have been|has been|used to|already|for the last|last week|last month|last year|' +
    'last winter|last summer|last spring|last autumn|last time|yesterday|nowadays|these days|' +
    'these days|for years|right now|for now|these last|just now|this morning|look forward|' +
    'looking forward|no longer supported|formerly|previously|in the past|years back|' +
    'months back|back then|since then|until recently|recently|lately|at first|once upon|' +
    'to date|as of today|as of now|for context|for background|fyi|by the way|historically|' +
    'traditionally|apparently|it turns out|turns out|it seems|seemingly|rumour has it|' +
    'rumor has it|according to|i think we had|in my experience|in our experience|in our case|' +
    'as far as i know|as far as i can tell|on average',
  /** First persons: what they do is background, unless they say they want. */
  firstPerson: "i|we|our|my|me|us|i'm|we're|i've|we've",
  /** Verbs of what a possibility may do on its own: `may cause` permits nothing. */
  epistemic: 'cause|happen|occur|fail|seem|sound|rain|look|mean|vary|depend|be',
  /** What tells that something goes wrong: a report, no rule. */
  trouble:
    'hang|fail|crash|freeze|jam|break|overflow|stick|lose|leak|struggle|complain|stutter|' +
    'flicker|lag|squeak|smell|rattle|drip|rust|wobble|forget|seem|look|suffer|miss|disappear|' +
    'vanish|hurt|annoy|confuse|say|think|feel|know|believe|suspect|wonder|hope|guess|like|' +
    'love|hate|remember|live|want|worry|shriek|peel|swell|rot|scratch|ache|cry|laugh|guess|' +
    'drop|corrupt|mangle|garble|stall|swallow|misread|spam|vibrate|overheat|time out|slam|' +
    'reboot|disconnect|buffer|blink|beep|hesitate|restart|drift|degrade|deteriorate|shake|' +
    'spill|burst|splinter|slip|trip|clog|throttle|reload|glitch|creak|buzz|hum|dim|wander|' +
    'vary|grumble|moan|argue|scream|stare|dream|imagine|assume|regret|enjoy|prefer',
  /** Verbs of a state: what has or uses something is mostly told, not asked. */
  state:
    'have|has|use|uses|operate|operates|own|owns|live|lives|lie|lies|sit|sits|contain|' +
    'contains|work|works|employ|employs|occupy|occupies|belong|belongs|consist|consists|' +
    'exist|exists|stand|stands|know|knows|grow|grows|come|comes|seek|seeks',
  /** What is said of a thing without asking anything of it. */
  verdict:
    'fine|overkill|wrong|slow|broken|annoying|nice|bad|good|great|ugly|old|new|tired|happy|' +
    'glad|sad|sorry|sure|aware|afraid|open|busy|full|empty|ready|ill|here|there|away|back|' +
    'awful|terrible|weird|strange|odd|ok|okay|possible|hard|difficult|easy|cheap|expensive|' +
    'loud|noisy|messy|hopeless|missing|lost|late|red|green|blue|better|worse|worth|enough|' +
    'honest|known|located|situated|called|named|true|false|right|unusable|unhappy|confusing|' +
    'unclear|outdated|heavy|useless|tight|problem|mess|nightmare|pain|pity|shame|joke|' +
    'mystery|reason|idea|question|issue|bug',
  /** Words that state a rule of the plain present. */
  ruling:
    'at least|at most|no more than|no less than|always|never|only|automatically|immediately|' +
    'at once|every|each|everyone|everybody|all|both|any|exactly|daily|weekly|monthly|instead|' +
    'free of charge|at no cost|at no charge|at any time|throughout|at all times|at all|stay|' +
    'stays|remain|remains|have priority|has priority|takes precedence|take precedence|' +
    'has precedence|have precedence|regardless|in any case|no matter|whatever|apiece|' +
    'without exception|by default|in advance|beforehand|in writing|strictly|on request',
  /** Verbs of a regulated event: in the plain present they state how it is to be. */
  regulated:
    'apply|appear|start|begin|end|expire|close|open|remain|stay|count|pay|receive|get|go|' +
    'arrive|return|show|display|send|bring|wear|fit|weigh|last|become|resume|move|meet|bear|' +
    'carry|cover|include|require|consist|name|list|carry|run|take|give|keep|cost|happen|' +
    'happens|see|sees|hold|support|provide|follow|accept|answer|confirm|stop|work offline|' +
    'notify|inform|call|check|handle|sign|print|record|store|delete|use|deliver|stays|finish|' +
    'sort|lock|share|serve|belong|lie',
  /** Measures without a threshold. */
  vague:
    'fast|faster|fastest|fast enough|quick|quickly|quicker|swift|swiftly|promptly|prompt|' +
    'slow|responsive|snappy|performant|performance|good performance|high performance|easy|' +
    'easy to use|easy to maintain|easy to read|easy to clean|easy to understand|easily|' +
    'easier|simple|simple to use|simpler|simply|straightforward|intuitive|user friendly|' +
    'user - friendly|friendly|modern|modern feel|modern look|contemporary|nice|nicer|nicely|' +
    'pretty|clean|clean look|cleaner|beautiful|attractive|appealing|elegant|stylish|sleek|' +
    'good|good looking|good - looking|better|best|great|cheap|cheaper|affordable|inexpensive|' +
    'low cost|low - cost|reasonable|reasonably|reasonable price|appropriate|appropriately|' +
    'adequate|adequately|sufficient|sufficiently|suitable|suitable meal|suitably|proper|' +
    'properly|robust|reliable|reliably|stable|sturdy|solid|durable|strong|scalable|scales|' +
    'scale well|scales well|flexible|flexibly|lightweight|light|handy|compact|seamless|' +
    'seamlessly|smooth|smoothly|large|larger|small|smaller|big|bigger|short|shorter|' +
    'long enough|enough|high quality|high - quality|quality|minimal|minimum effort|' +
    'as soon as possible|as fast as possible|as quickly as possible|as cheap as possible|' +
    'as small as possible|as simple as possible|as quiet as possible|as little as possible|' +
    'as few as possible|as much as possible|as often as possible|asap|soon|sooner|shortly|' +
    'timely|in good time|in time|regularly|regular intervals|frequently|often|occasionally|' +
    'periodically|from time to time|wherever possible|where possible|if possible|' +
    'whenever possible|as far as possible|where practical|where appropriate|if necessary|' +
    'where necessary|as needed|when needed|as required|if needed|little experience|fancy|' +
    'nothing fancy|state of the art|state - of - the - art|cutting edge|rounder|secure|' +
    'securely|safe|safely|efficient|efficiently|effective|effectively|convenient|comfortable|' +
    'comfortably|pleasant|quiet|quietly|quieter|warm enough|warm|cosy|cool|fresh|bright|' +
    'brighter|dark enough|readable|legible|clear|clearly|plain words|plain language|' +
    'understandable|accessible|maintainable|future - proof|future proof|low maintenance|' +
    'reasonably priced|not too expensive|not too loud|too expensive|too loud|too slow|' +
    'too large|too big|too long|too much|too often|too hot|too cold|similar|similar size|' +
    'comparable|typical|normal|usual|significant|significantly|substantial|several|a few|' +
    'many|some time|a while|a bit|a little|professional|professionally|neat|neatly|tidy|' +
    'careful|carefully|gentle|gently|generous|moderate|decent|acceptable|well|well - known|' +
    'up to date|up - to - date|unobtrusive|discreet|lively|playful|fun|cool|natural|' +
    'realistic|accurate|accurately|precise|precisely enough|consistent|optimal|optimum|' +
    'optimised|optimized|high|low|environmentally friendly|eco - friendly|sustainable|' +
    'sustainably|energy efficient|energy - efficient|world - class|best possible|latest|' +
    'immediately|instantly|without delay|at short notice|on time|wide range|variety of|thin|' +
    'thick|tall|deep|narrow|broad|heavy|soft|hard|sharp',
  /** Moments without an anchor. */
  relativeDate:
    'tomorrow|today|tonight|the day after tomorrow|next week|next month|next year|' +
    'next quarter|next term|next season|next monday|next tuesday|next wednesday|' +
    'next thursday|next friday|next saturday|next sunday|next weekend|next spring|' +
    'next summer|next autumn|next winter|this week|this month|this year|this term|' +
    'this season|this weekend|this summer|this winter|this spring|this autumn|this evening|' +
    'this afternoon|this friday|this monday|this saturday|by monday|by tuesday|by wednesday|' +
    'by thursday|by friday|by saturday|by sunday|before monday|before tuesday|' +
    'before wednesday|before thursday|before friday|before saturday|before sunday|' +
    'until monday|until tuesday|until wednesday|until thursday|until friday|until saturday|' +
    'until sunday|for monday|for tuesday|for wednesday|for thursday|for friday|for saturday|' +
    'for sunday|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|' +
    'on sunday|saturday|end of the month|end of the year|end of month|end of year|' +
    'end of the week|end of week|end of the quarter|end of quarter|end of january|' +
    'end of february|end of march|end of april|end of may|end of june|end of july|' +
    'end of august|end of september|end of october|end of november|end of december|' +
    'mid january|mid february|mid march|mid april|mid may|mid june|mid july|mid august|' +
    'by summer|by christmas|before christmas|before summer|by easter|before easter|by autumn|' +
    'by spring|by winter|before winter|before the holidays|after the holidays|in a week|' +
    'in two weeks|in a month|the coming week|in the coming weeks|later this year|' +
    'over the weekend|after the weekend|by then',
  /** Words that point to something outside the text. */
  referent:
    'like last time|as last time|as last year|like last year|same as last time|' +
    'same as before|as before|like before|as usual|the usual|as discussed|as agreed|' +
    'like the other|like the old one|the other one|the former|the latter|one of them|' +
    'some of them|either of them|as always|not only admins|the same way|as we said|' +
    'the one we had|like yours|as mentioned|the above|as above|like the others',
  /** People, offices and firms that act; further ones are told by their endings. */
  actor:
    'admin|admins|agent|agents|anyone|anybody|applicant|applicants|assistant|assistants|' +
    'bride|buyer|cashier|caretaker|child|children|client|clients|clinic|clinician|clinicians|' +
    'coach|coaches|committee|company|contractor|council|couple|courier|crew|customer|' +
    'customers|desk|doctor|doctors|driver|editor|everybody|everyone|family|families|firm|' +
    'girl|boy|group|guard|guest|guests|head|host|hosts|judge|judges|kid|kids|kitchen|' +
    'landlord|librarian|member|members|nobody|nurse|nurses|office|organiser|owner|parent|' +
    'parents|participant|participants|party|parties|patient|patients|people|person|persons|' +
    'pharmacist|player|players|police|principal|pupil|pupils|referee|runner|runners|school|' +
    'schools|seller|shop|shops|staff|student|students|supplier|suppliers|teacher|teachers|' +
    'team|teams|tenant|tenants|town|city|treasurer|user|users|vendor|vendors|visitor|' +
    'visitors|volunteer|volunteers|board|bidder|bidders|carrier|carriers|bank|hospital|' +
    'hospitals|holder|holders|laboratory|department|university|operator|somebody|someone|' +
    'technician|electrician|cook|chef|artist|artists|author|authors|baker|farmer|farmers|' +
    'scout|scouts|trainer|viewer|reader|readers|speaker|speakers|passenger|passengers|' +
    'cyclist|cyclists|pedestrian|pedestrians|child|mother|father|boss|colleague|colleagues|' +
    'neighbour|neighbours|neighbor|neighbors|resident|residents|colleague|freelancer|auditor|' +
    'insurer|controller|processor|curator|curators|supervisor|supervisors|inspector|' +
    'inspectors|manager|managers|engineer|engineers|lender|borrower|lessee|lessor|employee|' +
    'employees|employer|worker|workers|picker|pickers|instructor|instructors|official|' +
    'officials|officer|officers|administrator|administrators|developer|developers|maintainer|' +
    'maintainers|reviewer|reviewers|moderator|moderators|secretary|chair|chairman|president|' +
    'captain|captains|coxswain|novice|novices|adult|adults|sibling|siblings|grandparent|' +
    'citizen|citizens|commuter|commuters|shopper|shoppers|buyers|sellers|owners|landlords|' +
    'drivers|plumber|painter|gardener|cleaner|cleaners|caterer|caterers|contractors|' +
    'subcontractor|subcontractors|couriers|climber|climbers|swimmer|swimmers|rider|riders|' +
    'entrant|entrants|competitor|competitors|exhibitor|exhibitors|trader|traders|stallholder|' +
    'stallholders|sponsor|sponsors|dj|musician|musicians|pilot|pilots|delegate|delegates|' +
    'tutor|tutors|lecturer|lecturers|researcher|researchers|whoever|uncle|aunt|brother|' +
    'sister|friend|friends|personnel|crews|firms|companies|offices|authority|authorities|' +
    'agency|agencies|institute|ministry|municipality|organisers|organizers|organizer|' +
    'tenderer|tenderers|licensee|licensees|licensor|provider|providers|consultant|' +
    'consultants|auditors|analyst|analysts|clerk|clerks|cashiers|bookkeeper|accountant|' +
    'accountants|janitor|porter|receptionist|dentist|physician|surgeon|therapist|pharmacists|' +
    'chemist|vet|grower|growers|beekeeper|hunter|angler|anglers|wardens|warden|ranger|' +
    'rangers|firefighter|soldier|lawyer|notary|juror|jurors',
  /** Verbs of keeping and deleting: with a time they state a retention. */
  retention:
    'keep|keeps|kept|retain|retains|retained|store|stores|stored|delete|deletes|deleted|' +
    'remove|removes|removed|archive|archived|erase|erased|purge|purged|hold|held|discard|' +
    'discarded|preserve|preserved|destroy|destroyed|wipe|wiped',
  /** Words that negate a whole: how many are left nobody says. */
  partial:
    'not always|not necessarily|not usually|not normally|not entirely|not all|not all of|' +
    'not every|not each|not everyone|not everybody|not everything|not necessarily all|' +
    'not quite all|not nearly all|by no means all',
  /** What bounds a share before it is named. */
  shareBound:
    'at least|at most|no more than|not more than|no fewer than|not fewer than|no less than|' +
    'not less than|more than|fewer than|less than|about|around|roughly|up to|only|' +
    'a maximum of|a minimum of',
  /** Shares without a number to compare. */
  share:
    'half|half of|half the|a half of|one half of|a third of|one third of|two thirds of|' +
    'two - thirds of|a quarter of|one quarter of|three quarters of|three - quarters of|' +
    'a fifth of|one fifth of|a tenth of|one tenth of|most|most of|the majority of|' +
    'a majority of|the bulk of|a minority of|the minority of|a few|few|a few of|some|some of|' +
    'many|many of|several|several of|a handful of|almost all|almost all of|nearly all|' +
    'nearly all of|almost every|nearly every|every second|every third|every other',
  /** Words of seldom acts. */
  seldom:
    'seldom|only seldom|rarely|only rarely|very rarely|hardly ever|scarcely ever|barely ever|' +
    'scarcely|hardly|infrequently|almost never|nearly never|practically never|' +
    'virtually never|almost no|nearly no|practically no|virtually no|next to no|almost none|' +
    'hardly any|scarcely any|barely any',
  /** Numbers of a share in words. */
  cardinal: 'one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred',
  /** Abbreviations whose point ends no sentence. */
  abbreviation:
    'max|min|mio|mrd|approx|no|nr|incl|excl|vs|ca|dr|mr|mrs|ms|st|fig|resp|etc|dept|tel|vol|' +
    'sec|art|ref|op|ex|est|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec',
  /** Words that name nothing: left out of keys. */
  stop:
    'a|an|the|of|in|on|at|to|for|from|by|with|within|per|as|is|are|be|been|it|its|they|them|' +
    'their|we|us|our|you|your|he|she|his|her|i|my|me|this|that|these|those|there|and|or|but|' +
    'also|only|each|every|all|any|some|both|no|not|never|must|shall|should|may|can|could|' +
    'would|will|need|needs|has|have|do|does|than|then|so|please|after|before|under|over|' +
    'above|below|up|down|out|least|most|more|less|longer|later|who|which|whose|one|when|if|' +
    'exactly|about|around|roughly|max|min|maximum|minimum|two|three|four|five|six|total|' +
    'until|between|still|just|own|such|same|other|very|into|onto|off|while|unless|except|' +
    'without|now|here|again|either|neither|nor|till|via|like|hi|hello|dear|always|well|yet|' +
    'too|able|new|fewer|greater|larger|smaller|higher|lower|required|allowed|permitted|want|' +
    'wants|everybody|everyone|nobody|nothing|stay|stays|remain|remains|exceed|exceeds|' +
    "exceeding|take|takes|last|lasts|get|gets|got|gives|give|go|goes|'ll|overall|whole",
  /** Words that open an indirect question or a title, no demand. */
  indirect: 'what|how|why|whether|whom|whose',
  /** Words after which a verb belongs to a relative clause. */
  relative: 'who|which|that|whoever|whose|whom|where|what|how|why|whether',
  /** Words that open a noun phrase. */
  determiner:
    'a|an|the|this|that|these|those|each|every|all|any|some|no|both|either|neither|its|their|' +
    'our|my|your|his|her|another|such|several|many|most|few|one|two|three|four|five|six|' +
    'seven|eight|nine|ten|twelve|only',
  /** Words that stand for one. */
  pronoun:
    'it|they|we|you|he|she|i|everybody|everyone|nobody|anybody|anyone|everything|nothing|' +
    'somebody|someone|this|that|these|those|there|them|us|him|me',
  /** Prepositions. */
  preposition:
    'of|in|on|at|to|for|from|by|with|within|without|under|over|above|below|into|onto|off|up|' +
    'down|out|via|as|than|per|through|between|among|across|against|along|around|about|beside|' +
    'near|inside|outside|before|after|during|until|till|since|towards|behind|like|past|' +
    'beyond|again|back|away|together|online|offline|automatically|directly|immediately|once|' +
    'twice|daily|weekly|later|only|first|not|properly|correctly|quickly|easily|always|never|' +
    'ahead|well|fully|freely|there|here|free',
  /** Words that open a subordinate clause. */
  subordinator:
    'if|when|while|whilst|because|since|unless|until|till|before|after|as|whenever|wherever|' +
    'where|once|so|than|that|which|who|whose|whom|what|how|why|whether|provided|although|' +
    'though|whereas|lest',
  /** Words by which English is recognised. */
  english:
    'the|a|an|of|to|and|or|in|on|for|with|is|are|be|must|not|should|may|no|at|by|from|we|it|' +
    'that|this|per|up|than|under|over|less|more|least|most|only|if|when|can|will|have|has|as|' +
    'i|you|each|every|all|please|within|after|before|until|never',
  /** Names of languages. */
  language:
    'english|german|french|polish|spanish|italian|dutch|danish|swedish|norwegian|finnish|' +
    'czech|arabic|turkish|russian|ukrainian|japanese|chinese|portuguese|greek|hungarian|' +
    'welsh|irish',
};

/** A list of the lexicon. */
export type WordList =
  | 'must'
  | 'should'
  | 'may'
  | 'forbidden'
  | 'negation'
  | 'condition'
  | 'trailing'
  | 'leading'
  | 'exception'
  | 'preface'
  | 'never'
  | 'reason'
  | 'stemMust'
  | 'stemShould'
  | 'stemMay'
  | 'stemNot'
  | 'stemBackground'
  | 'stemLine'
  | 'background'
  | 'firstPerson'
  | 'epistemic'
  | 'trouble'
  | 'state'
  | 'verdict'
  | 'ruling'
  | 'regulated'
  | 'vague'
  | 'relativeDate'
  | 'referent'
  | 'actor'
  | 'retention'
  | 'partial'
  | 'shareBound'
  | 'share'
  | 'seldom'
  | 'cardinal'
  | 'abbreviation'
  | 'stop'
  | 'indirect'
  | 'relative'
  | 'determiner'
  | 'pronoun'
  | 'preposition'
  | 'subordinator'
  | 'english'
  | 'language';
