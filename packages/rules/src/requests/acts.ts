/**
 * Sorts of acts: whether a verb handles things that are there, brings them about, or changes a measure of
 * them. It decides what a bound behind its object means.
 *
 * @module
 */

/**
 * Takes things away or aside: whatever bound stands behind them says which
 * (`Reject passwords with at most 5 characters`).
 */
export const REMOVING: ReadonlySet<string> = new Set(
  (
    'reject refuse deny block discard exclude ignore skip drop delete remove hide forbid ban ' +
    'prohibit disallow prevent avoid decline filter flag archive suspend cancel stop purge ' +
    'quarantine erase wipe destroy scrap shred evict retire'
  ).split(' '),
);

/** Done to things that are there: a bound behind them says to which (`Delete logs older than 30 days`). */
export const HANDLING: ReadonlySet<string> = new Set([
  ...REMOVING,
  ...(
    'mark notify highlight warn escalate compress split return report notify log quarantine ' +
    'list show display sort approve review check inspect audit sign countersign round ' +
    'truncate resize convert move migrate transfer forward route tag label colour color ' +
    'refund reimburse insure weigh wrap prioritise prioritize close expire recycle replace ' +
    'repair recall test investigate merge group collapse trim prune exempt charge invoice ' +
    'bill tax inform alert call contact remind thank invite train vaccinate examine treat ' +
    'screen count sum collect pick sort separate segregate isolate unsubscribe deactivate ' +
    'disable lock freeze withhold confiscate seize tow penalise penalize deduct redirect ' +
    'throttle retry queue defer postpone reschedule record register announce publish verify ' +
    'validate confirm acknowledge encrypt redact anonymise anonymize mask export import ' +
    'download print store park'
  ).split(' '),
]);

/**
 * Brings its object about, takes it for use or keeps it so: a bound behind the object is demanded of it
 * (`Use passwords longer than 12 characters`).
 */
export const MAKING: ReadonlySet<string> = new Set(
  (
    'use choose buy build keep hold maintain serve provide make create install add get give ' +
    'take need want order hire rent book find leave write set offer deliver produce supply ' +
    'include support reach achieve plan design draw generate bring wear plant dig drill ' +
    'allow permit ensure guarantee expect run employ seat fit carry answer obtain purchase ' +
    'lay mount select grow breed bake cook sew knit form prepare'
  ).split(' '),
);

/**
 * Changes a measure of its object: a bound behind the object is where the change ends
 * (`Heat pipes above 60 °C`).
 */
export const RESULTING: ReadonlySet<string> = new Set(
  (
    'raise increase reduce lower change extend shorten cut decrease expand shrink grow drop ' +
    'heat cool warm chill freeze fill drain load charge stretch bend widen lengthen limit ' +
    'restrict cap pay price sell speed slow push pull lift hang stack stay remain'
  ).split(' '),
);
