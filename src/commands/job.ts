import { command } from './command.ts'
import { each } from './words.ts'

/** Long work, and the mails that were written. */
export const jobCommands = {
  'job.link': command({
    title: 'Download',
    on: 'job',
    icon: 'download',
    keywords: 'file result save csv',
    async run({ api, subject }) {
      const { data } = await api.write('job.link', { id: subject.id })
      location.assign(data.url)
    },
  }),
  'job.cancel': command({
    title: 'Cancel the job',
    on: 'job',
    many: true,
    icon: 'x',
    danger: true,
    keywords: 'stop',
    confirm: (subjects) => ({
      title: subjects.length === 1 ? `Cancel “${subjects[0]!.name}”?` : `Cancel ${subjects.length} jobs?`,
      body: 'What is done so far is thrown away; of a payment, what was not begun is pending again.',
      action: 'Cancel the job',
    }),
    run: (context) => each(context, 'cancelled', (api, { id }) => api.write('job.cancel', { id }), { many: 'jobs' }),
  }),
  'outbox.retry': command({
    title: 'Send again',
    on: 'mail',
    access: 'admin',
    many: true,
    icon: 'mail',
    keywords: 'retry mail',
    delay: 5,
    run: (context) => each(context, 'on its way', (api, { id }) => api.write('outbox.retry', { id }), { many: 'mails' }),
  }),
  'outbox.withdraw': command({
    title: 'Take back',
    on: 'mail',
    access: 'admin',
    many: true,
    icon: 'undo',
    keywords: 'withdraw stop mail',
    run: (context) => each(context, 'taken back', (api, { id }) => api.write('outbox.withdraw', { id }), { many: 'mails' }),
  }),
} as const
