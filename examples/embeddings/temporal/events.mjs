/**
 * The events of one workflow in the form of a Temporal service's JSON export; what a service counts and
 * notes, this counts and notes.
 */
const encode = (text) => Buffer.from(text).toString('base64');
const payload = (value) => ({
  metadata: { encoding: encode('json/plain') },
  data: encode(JSON.stringify(value)),
});
const payloads = (values) => ({ payloads: values.map((value) => payload(value ?? null)) });
const queue = { name: 'desk', kind: 'TASK_QUEUE_KIND_NORMAL' };

export class History {
  events = [];
  activities = 0;

  /** One event; its times are made up, a second apart. Gives its id. */
  add(type, key, attributes) {
    const id = this.events.length + 1;
    const eventTime =
      `2026-01-01T00:${String(Math.floor(id / 60)).padStart(2, '0')}:` +
      `${String(id % 60).padStart(2, '0')}Z`;
    this.events.push({
      eventId: String(id),
      eventTime,
      eventType: `EVENT_TYPE_${type}`,
      [`${key}EventAttributes`]: attributes,
    });
    return String(id);
  }

  start(name, args) {
    this.add('WORKFLOW_EXECUTION_STARTED', 'workflowExecutionStarted', {
      workflowType: { name },
      taskQueue: queue,
      input: payloads(args),
      workflowTaskTimeout: '10s',
      originalExecutionRunId: 'made-up',
      firstExecutionRunId: 'made-up',
      attempt: 1,
    });
    this.task();
  }

  /** The workflow is asked to go on, and does. */
  task() {
    const scheduledEventId = this.add('WORKFLOW_TASK_SCHEDULED', 'workflowTaskScheduled', {
      taskQueue: queue,
      startToCloseTimeout: '10s',
      attempt: 1,
    });
    const startedEventId = this.add('WORKFLOW_TASK_STARTED', 'workflowTaskStarted', {
      scheduledEventId,
      identity: 'made-up',
      requestId: 'made-up',
    });
    // A worker of today notes which checks of its own it keeps to; without this its replay compares neither
    // ids nor types of activities.
    const sdkMetadata =
      scheduledEventId === '2'
        ? { coreUsedFlags: [1, 2, 3], sdkName: 'temporal-typescript', sdkVersion: '1.24.0' }
        : {};
    this.last = this.add('WORKFLOW_TASK_COMPLETED', 'workflowTaskCompleted', {
      scheduledEventId,
      startedEventId,
      identity: 'made-up',
      sdkMetadata,
    });
  }

  activity(name, args, result) {
    const activityId = String((this.activities += 1));
    const scheduledEventId = this.add('ACTIVITY_TASK_SCHEDULED', 'activityTaskScheduled', {
      activityId,
      activityType: { name },
      taskQueue: queue,
      input: payloads(args),
      startToCloseTimeout: '60s',
      workflowTaskCompletedEventId: this.last,
    });
    const startedEventId = this.add('ACTIVITY_TASK_STARTED', 'activityTaskStarted', {
      scheduledEventId,
      identity: 'made-up',
      requestId: 'made-up',
      attempt: 1,
    });
    this.add('ACTIVITY_TASK_COMPLETED', 'activityTaskCompleted', {
      result: payloads([result]),
      scheduledEventId,
      startedEventId,
      identity: 'made-up',
    });
    this.task();
  }

  complete(result) {
    this.add('WORKFLOW_EXECUTION_COMPLETED', 'workflowExecutionCompleted', {
      result: payloads([result]),
      workflowTaskCompletedEventId: this.last,
    });
  }
}
