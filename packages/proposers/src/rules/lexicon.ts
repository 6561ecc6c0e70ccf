/**
 * The word lists of the grammar: versioned data. Every proposal records the hash of this file's content.
 *
 * All words are ASCII lower case, separated by `|`; a phrase is its tokens joined by spaces.
 *
 * @module
 */

/** Version of the grammar: of the code that reads these lists. */
export const GRAMMAR_VERSION = 'rules/0';

/** The word lists. Changing one changes the lexicon's hash, and with it what runs record. */
export const LEXICON = {
  /** Verbs that open an order. */
  imperative:
    'accept|add|allow|apply|ask|attach|avoid|block|book|bring|build|buy|calculate|call|cancel|carry|change|check|clean|clear|close|collect|compress|connect|convert|copy|count|create|cut|delete|deliver|deploy|describe|disable|display|download|drop|empty|enable|encrypt|export|fall|fill|filter|fix|fold|follow|give|group|handle|hide|hold|import|include|inform|install|keep|leave|limit|list|load|lock|log|make|mark|measure|migrate|mount|move|name|notify|offer|open|pack|paint|park|pay|pick|place|play|prepare|prevent|print|process|protect|provide|publish|put|read|record|reduce|refund|reject|remove|rename|replace|report|require|restore|restrict|retain|return|ring|rotate|run|save|scan|schedule|search|send|separate|serve|set|ship|show|sign|sort|split|stop|store|submit|support|switch|sync|take|test|tell|track|translate|turn|update|upload|use|validate|verify|wait|warn|wash|write',
  /** Phrases of a demand; the longest that fits counts. */
  must: 'must|shall|has to|have to|needs to|need to|needs|need|is required|are required|is to|are to|is due|are due|is mandatory|is obliged to|want|wants|we want|required',
  /** Phrases of a wish. */
  should: 'should|ought to|would like|would be nice|would be great|would be good|would help|would prefer|ideally|preferably|nice to have|i\'d suggest|we suggest|i suggest|recommended',
  /** Phrases of a permission. */
  may: 'may|might|only allowed|is allowed|are allowed|is permitted|are permitted|is welcome|are welcome|is fine|are fine|is optional|are optional|are free to|is free to|feel free to|need not|needn\'t|not obliged|not required|no need|does not have to|do not have to|don\'t have to|doesn\'t have to',
  /** Phrases of a prohibition that hold their negation themselves. */
  forbidden: 'not allowed|not permitted|prohibited|forbidden|banned|not accepted|not acceptable|unacceptable|out of scope|not in scope|not part of',
  /** Words that negate. */
  negation: 'not|never|no|nobody|none|nothing|neither|nor|cannot',
  /** Words that open a condition. */
  condition: 'if|when|while|as soon as|provided that|provided|in case|during|whenever|until',
  /** Words that open an exception. */
  exception: 'unless|except|except for|except in|except when|other than|apart from|without prior|without written|without consent|without the consent',
  /** Words that open a reason: what follows carries no demand of its own. */
  reason: 'because|since|as otherwise|so that|in order to',
  /** Headings and stems whose items are demands, wishes, permissions or prohibitions. */
  stemMust: 'must|shall|requirements|required|expect|expected|we need|i need|need|needs|want|has to|have to|rules|do',
  stemShould: 'should|nice to have|would like|suggest|suggestions|optional wishes|wishes|ideally',
  stemMay: 'may|allowed|permitted|optional',
  stemNot: 'must not|shall not|not in this version|out of scope|not allowed|forbidden|prohibited|never|do not|don\'t|dont|non-goals|exclusions|excluded',
  /** Signs of background: a state, a measure taken, the past. */
  background: 'was|were|had|did|tried|ago|currently|so far|as promised|thank|thanks|regards|hello|has been|have been|used to|already|for the last|came|went|last week|last month|last year|last winter|last summer|last time',
  /** First persons: what they do is background, unless they say they want. */
  firstPerson: 'i|we|our|my|me|us',
  /** Measures without a threshold. */
  vague:
    'fast|faster|quick|quickly|quicker|slow|responsive|snappy|performant|good performance|easy|easy to use|easily|simple|simply|intuitive|user friendly|user-friendly|friendly|modern|modern feel|nice|pretty|clean look|beautiful|attractive|good|better|best|cheap|cheaper|affordable|reasonable|reasonably|appropriate|adequate|adequately|sufficient|suitable|robust|reliable|stable|scalable|flexible|lightweight|seamless|smooth|smoothly|large|small|big|short|long enough|enough|high quality|high-quality|minimal|as soon as possible|asap|soon|regularly|from time to time|wherever possible|where possible|if possible|as far as possible|little experience|fancy|state of the art|rounder',
  /** Moments without an anchor. */
  relativeDate:
    'tomorrow|today|tonight|next week|next month|next year|next monday|next tuesday|next wednesday|next thursday|next friday|next saturday|next sunday|this week|this month|this year|by monday|by tuesday|by wednesday|by thursday|by friday|by saturday|by sunday|for monday|for tuesday|for wednesday|for thursday|for friday|for saturday|for sunday|end of the month|end of the year|end of month|end of the week|by summer|by christmas|before christmas|before summer',
  /** People, offices and firms that act. */
  actor:
    'admin|admins|administrator|administrators|agent|anyone|applicant|assistant|author|authors|bidder|bidders|buyer|caretaker|carrier|child|children|client|clients|clinician|coach|company|contractor|council|customer|customers|developer|developers|doctor|driver|editor|editors|employee|employees|everybody|everyone|guest|guests|judge|landlord|librarian|lender|manager|managers|member|members|nurse|nurses|office|operator|operators|organiser|owner|owners|parent|parents|party|passenger|patient|patients|player|players|provider|pupil|pupils|referee|reviewer|runner|runners|school|schools|seller|staff|student|students|subcontractor|subcontractors|supplier|suppliers|teacher|teachers|team|teams|tenant|town|translator|treasurer|user|users|vendor|visitor|visitors|volunteer|volunteers|holders',
  /** Verbs of keeping and deleting: with a time they state a retention. */
  retention: 'keep|keeps|kept|retain|retains|retained|store|stores|stored|delete|deletes|deleted|remove|removed|archive|archived|erased|purged',
  /** Abbreviations whose point ends no sentence. */
  abbreviation: 'max|min|approx|no|nr|incl|vs|ca|dr|mr|mrs|st|fig|resp',
  /** Words that name nothing: left out of keys. */
  stop: 'a|an|the|of|in|on|at|to|for|from|by|with|within|per|as|is|are|be|been|it|its|they|them|their|we|us|our|you|your|he|she|his|her|i|my|me|this|that|these|those|there|and|or|but|also|only|each|every|all|any|some|both|no|not|never|must|shall|should|may|can|will|would|need|needs|has|have|do|does|than|then|so|please|after|before|under|over|above|below|up|down|out|least|most|more|less|longer|later|who|which|whose|one|when|if|exactly|about|around|roughly|max|min|maximum|minimum|two|three|four|five|six|total|least|until|between|per|still|just|own|such|same|other|very|into|onto|off|if|while|unless|except|without|now|here|again|either|neither|nor|till|via|like|hi|hello|dear',
  /** Finite verbs after which the word before is a noun: `Search finds`, `Upload hangs`. */
  finite: 'hangs|finds|fails|works|crashes|breaks|needs|takes|appears|resumes|stays|looks|gets|goes|is|are|was|does|has|runs|stops|jams|overflows|moves|says|gives|costs|means',
  /** Words that open an indirect question or a title, no demand. */
  indirect: 'what|how|why|whether|who|whom',
  /** Words after which a verb belongs to a relative clause. */
  relative: 'who|which|that|whoever',
  /** Words by which English is recognised. */
  english: 'the|a|an|of|to|and|or|in|on|for|with|is|are|be|must|not|should|may|no|at|by|from|we|it|that|this|per|up|than|under|over|less|more|least|most|only|if|when|can|will|have|has|as|i|you|each|every|all|please|within|after|before|until|never',
} as const;

/** A list of the lexicon. */
export type WordList = keyof typeof LEXICON;
