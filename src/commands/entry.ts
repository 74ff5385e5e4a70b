import type { Output } from '../../contract/calls.ts'
import { href } from '../routes.ts'
import { ask, command, type Result, type Subject } from './command.ts'
import { listed, money } from './words.ts'

const DELAY_SECONDS = 8
const amount = (subjects: readonly Subject[]) =>
  subjects.reduce((sum, subject) => sum + Number(subject.record?.amount_cents ?? 0), 0)
const repeats = (subjects: readonly Subject[]) =>
  subjects.some((subject) => Number(subject.record?.email_counter ?? 1) > 1 || Number(subject.record?.ipaddress_counter ?? 1) > 1)
const ids = (subjects: readonly Subject[]) => subjects.map((subject) => subject.id)

/** What the server did of many: the sentence, and those it refused by name. */
function outcome(subjects: readonly Subject[], { data, message }: Output<'entry.reject'>): Result {
  const nameOf = new Map(subjects.map((subject) => [subject.id, subject.name]))
  const refused = data.refused.map(({ id, reason }) => ({ id, name: nameOf.get(id) ?? `reward ${id}`, reason }))
  return { said: message, ...(refused.length ? { refused } : {}) }
}

/** What is done with reward entries (decisions.md 5). */
export const entryCommands = {
  'entry.redeem': command({
    title: 'Reward',
    on: 'entry',
    access: 'admin',
    many: true,
    keywords: 'pay redeem send',
    icon: 'gift',
    asks: {
      confirm_repeats: ask.option({
        label: 'Some repeat an e-mail or address',
        when: (_answers, subjects) => repeats(subjects),
        options: [
          { value: 'no', label: 'Leave the repeats out', detail: 'they stay pending' },
          { value: 'yes', label: 'Pay the repeats too' },
        ],
      }),
    },
    confirm: (subjects) => ({
      title:
        subjects.length === 1
          ? `Pay ${money(amount(subjects))} to ${subjects[0]!.name}?`
          : `Pay ${subjects.length} rewards, ${money(amount(subjects))} in all?`,
      body: `Sending starts after ${DELAY_SECONDS} seconds and can be undone until then; what is sent can't be called back.`,
      action: subjects.length === 1 ? 'Reward' : `Reward ${subjects.length}`,
    }),
    async run({ api, subjects, answers }) {
      const answer = await api.write('entry.redeem', {
        ids: ids(subjects),
        confirm_repeats: answers.confirm_repeats === 'yes',
        delay_seconds: DELAY_SECONDS,
      })
      const job = answer.data.job_id
      return {
        ...outcome(subjects, answer),
        ...(job ? { undo: { label: 'Undo', run: (api) => api.write('job.cancel', { id: job }) } } : {}),
      }
    },
  }),
  'entry.reject': command({
    title: 'Reject…',
    on: 'entry',
    access: 'admin',
    many: true,
    danger: true,
    keywords: 'refuse decline',
    icon: 'x',
    asks: { reason: ask.text({ label: 'Reason', placeholder: 'Why it is not paid' }) },
    confirm: (subjects) => ({
      title: `Reject ${listed(subjects, 'rewards')}?`,
      body: 'A second chance brings them back to pending.',
      action: 'Reject',
    }),
    async run({ api, subjects, answers }) {
      const answer = await api.write('entry.reject', { ids: ids(subjects), reason: answers.reason })
      return {
        ...outcome(subjects, answer),
        undo: { label: 'Second chance', run: (api) => api.write('entry.secondChance', { ids: answer.data.done }) },
      }
    },
  }),
  'entry.secondChance': command({
    title: 'Second chance',
    on: 'entry',
    access: 'admin',
    many: true,
    keywords: 'restore pending again',
    icon: 'undo',
    async run({ api, subjects }) {
      const answer = await api.write('entry.secondChance', { ids: ids(subjects) })
      return {
        ...outcome(subjects, answer),
        undo: {
          label: 'Reject again',
          run: (api) => api.write('entry.reject', { ids: answer.data.done, reason: 'Second chance undone' }),
        },
      }
    },
  }),
  'entry.cluster': command({
    title: 'Show the cluster',
    detail: 'all that share its e-mail or address',
    on: 'entry',
    access: 'admin',
    rule: null,
    keywords: 'repeat duplicate same fraud',
    icon: 'list',
    // By its id: no address of a person belongs in a link.
    run: ({ desk, subject }) =>
      desk.open(
        href(
          'project',
          { id: Number(subject.record?.project_id) },
          { tab: 'rewardCenter', query: { status: 'all', like: subject.id } },
        ),
        'here',
      ),
  }),
  'entry.clear': command({
    title: 'Clear pending rewards',
    on: ['project', 'campaign'],
    access: 'admin',
    danger: true,
    keywords: 'reject all',
    icon: 'trash',
    confirm: (subjects) => ({
      title: `Clear the pending rewards of “${subjects[0]!.name}”?`,
      body: `All ${subjects[0]!.record?.pending_rewards ?? ''} pending rewards are rejected with the reason “cleared”. Nothing is deleted.`,
      action: 'Clear',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('entry.clear', { id: subject.id })
      return { said: message }
    },
  }),
} as const
