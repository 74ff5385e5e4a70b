import type { Output } from '../../../contract/calls.ts'
import { count, dollars } from '../../../contract/format.ts'
import { href } from '../../routing/routes.ts'
import { ask, command, OUTSIDE_SECONDS, type Result, type RunContext } from '../command.ts'
import type { Subject } from '../subject.ts'
import { either, listed } from '../words.ts'

/** The rewards' total, or null when unknown, as for rewards named by a link. */
const amount = (subjects: readonly Subject[]): string | null =>
  subjects.every(({ record }) => record?.amount_cents !== undefined)
    ? dollars(subjects.reduce((sum, { record }) => sum + Number(record!.amount_cents), 0))
    : null
function payTitle(subjects: readonly Subject[]): string {
  const sum = amount(subjects)
  if (subjects.length === 1) return `Pay ${sum ? `${sum} to ` : ''}${subjects[0]!.name}?`
  return `Pay ${count(subjects.length)} rewards${sum ? `, ${sum} in all` : ''}?`
}
const repeats = (subjects: readonly Subject[]) =>
  subjects.some((subject) => Number(subject.record?.email_counter ?? 1) > 1 || Number(subject.record?.ipaddress_counter ?? 1) > 1)
const ids = (subjects: readonly Subject[]) => subjects.map((subject) => subject.id)

/** The most entries one call takes (decisions.md 5); more go in several calls, in sequence. */
const AT_ONCE = 10_000

type Written = Output<'entry.reject'>
/** Writes many rewards in as few calls as possible and merges the results. Cancelling stops between two calls. */
async function inPieces<A>(
  { subjects, progress, signal }: RunContext<A>,
  write: (ids: number[]) => Promise<Written>,
): Promise<Written> {
  const all = ids(subjects)
  let whole: Written | null = null
  for (let at = 0; at < all.length && !(at && signal.aborted); at += AT_ONCE) {
    const answer = await write(all.slice(at, at + AT_ONCE))
    progress(Math.min(at + AT_ONCE, all.length), all.length)
    whole = whole
      ? {
          ...answer,
          data: {
            ...answer.data,
            done: [...whole.data.done, ...answer.data.done],
            refused: [...whole.data.refused, ...answer.data.refused],
            amount_cents: whole.data.amount_cents + answer.data.amount_cents,
          },
          message: `${answer.message} ${whole.data.done.length + answer.data.done.length} in all.`,
        }
      : answer
  }
  return whole!
}

/** "All 12 pending rewards are", "The one pending reward is". */
function pendingOf({ record }: Subject): string {
  const pending = Number(record?.pending_rewards ?? 0)
  if (pending === 1) return 'The one pending reward is'
  return `All ${pending > 1 ? `${count(pending)} ` : ''}pending rewards are`
}

/** The result of a bulk call: its message, and the refused rewards by name. */
function outcome(subjects: readonly Subject[], { data, message }: Output<'entry.reject'>): Result {
  const nameOf = new Map(subjects.map((subject) => [subject.id, subject.name]))
  const refused = data.refused.map(({ id, reason }) => ({ id, name: nameOf.get(id) ?? `reward ${id}`, reason }))
  return { message: message, ...(refused.length ? { refused } : {}) }
}

/** Actions on reward entries (decisions.md 5). */
export const entryCommands = {
  'entry.redeem': command({
    title: 'Reward',
    undoName: (subjects) => `Pay ${listed(subjects)}`,
    on: 'entry',
    many: true,
    keywords: 'pay redeem send',
    icon: 'gift',
    asks: {
      confirm_repeats: ask.option({
        label: 'Some repeat an email or IP address',
        when: (_answers, subjects) => repeats(subjects),
        options: [
          { value: 'no', label: 'Skip repeats', detail: 'they stay pending' },
          { value: 'yes', label: 'Pay repeats too' },
        ],
      }),
    },
    confirm: (subjects) => ({
      title: payTitle(subjects),
      body: `Sending starts in ${OUTSIDE_SECONDS} seconds. You can undo it until then; sent rewards can’t be recalled.`,
      action: subjects.length === 1 ? 'Reward' : `Reward ${count(subjects.length)}`,
    }),
    undo: 'restores',
    async run(context) {
      const { api, subjects, answers } = context
      const answer = await inPieces(context, (ids) =>
        api.write('entry.redeem', { ids, confirm_repeats: answers.confirm_repeats === 'yes', delay_seconds: OUTSIDE_SECONDS }),
      )
      return { ...outcome(subjects, answer), undoUntil: Date.now() + OUTSIDE_SECONDS * 1000 }
    },
  }),
  'entry.reject': command({
    title: 'Reject…',
    on: 'entry',
    many: true,
    danger: true,
    keywords: 'refuse decline',
    icon: 'x',
    asks: { reason: ask.text({ label: 'Reason', placeholder: 'Why it isn’t paid' }) },
    confirm: (subjects) => ({
      title: `Reject ${listed(subjects)}?`,
      body: `A second chance makes ${either(subjects, 'it', 'them')} pending again.`,
      action: 'Reject',
    }),
    undo: 'restores',
    async run(context) {
      const { api, subjects, answers } = context
      const answer = await inPieces(context, (ids) => api.write('entry.reject', { ids, reason: answers.reason }))
      return outcome(subjects, answer)
    },
  }),
  'entry.secondChance': command({
    title: 'Second chance',
    on: 'entry',
    many: true,
    keywords: 'restore pending again',
    icon: 'undo',
    undo: 'restores',
    review: (subjects) => ({
      title: `Give ${listed(subjects)} a second chance?`,
      body: either(subjects, 'It goes back to pending.', 'They go back to pending.'),
      action: 'Second chance',
    }),
    async run(context) {
      const answer = await inPieces(context, (ids) => context.api.write('entry.secondChance', { ids }))
      return outcome(context.subjects, answer)
    },
  }),
  'entry.cluster': command({
    title: 'Show cluster',
    detail: 'rewards with the same email or IP address',
    on: 'entry',
    rule: null,
    keywords: 'repeat duplicate same fraud',
    icon: 'list',
    undo: 'needless',
    // By id: links must not contain personal data.
    run: ({ workspace, subject }) =>
      workspace.open(
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
    danger: true,
    keywords: 'reject all',
    icon: 'trash',
    confirm: (subjects) => ({
      title: `Clear pending rewards of ${listed(subjects)}?`,
      body: `${pendingOf(subjects[0]!)} rejected with the reason “cleared”. Nothing is deleted.`,
      action: 'Clear',
    }),
    undo: 'restores',
    async run({ api, subject }) {
      const { message } = await api.write('entry.clear', { id: subject.id })
      return { message: message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof entryCommands> {}
}
