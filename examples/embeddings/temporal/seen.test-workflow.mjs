/**
 * Loaded into the workflow's sandbox: tells the worker each activity that the workflow asks for, also during
 * replay.
 */
import { proxySinks } from '@temporalio/workflow';

const { seen } = proxySinks();

export const interceptors = () => ({
  outbound: [
    {
      scheduleActivity(input, next) {
        seen.activity(input.activityType, input.args);
        return next(input);
      },
    },
  ],
});
