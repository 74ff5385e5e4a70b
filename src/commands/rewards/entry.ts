import type { Input, Output } from '../../../contract/calls.ts'
import { count, dollars } from '../../../contract/format.ts'
import { type EffectId, effectOf, sentenceOf, type When } from '../../../contract/writeEffects.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { href } from '../../routing/routes.ts'
import { ask, command, type Result, type RunContext } from '../command.ts'
import { flagsOf, isFlagged, totalLines } from '../entryTotals.ts'
import { recordOf, type Subject } from '../subject.ts'
import { either, listed } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'

/** Returns the rewards' total; null if unknown, as for rewards that a link names. */
const amount = (subjects: readonly Subject[]): string | null =>
  subjects.every((subject) => recordOf(subject, 'entry').amount_cents !== undefined)
    ? dollars(subjects.reduce((sum, subject) => sum + Number(recordOf(subject, 'entry').amount_cents), 0))
    : null
function payTitle(subjects: readonly Subject[]): string {
  const sum = amount(subjects)
  if (subjects.length === 1) return `Pay ${sum ? `${sum} to ` : ''}${subjects[0]!.name}?`
  return `Pay ${count(subjects.length)} rewards${sum ? `, ${sum} in all` : ''}?`
}
/** Formats the total of several rewards: ", $170.00 in all"; empty if unknown. */
const sumIn = (subjects: readonly Subject[]) => {
  const sum = subjects.length > 1 ? amount(subjects) : null
  return sum ? `, ${sum} in all` : ''
}
const repeats = (subjects: readonly Subject[]) =>
  subjects.some((subject) => {
    const { email_counter = 1, ipaddress_counter = 1 } = recordOf(subject, 'entry')
    return Number(email_counter) > 1 || Number(ipaddress_counter) > 1
  })
const ids = (subjects: readonly Subject[]) => subjects.map((subject) => subject.id)

/** Rewards per call. It sets the steps of the progress, and keeps calls from locking rows for long. */
const PIECE = 1000

type Written = Output<'entry.reject'>
/** Writes many rewards in as few calls as possible and merges the results. Canceling stops between two calls. */
async function inPieces<A>(
  { subjects, progress, signal }: RunContext<A>,
  write: (ids: number[]) => Promise<Written>,
): Promise<{ answers: readonly Written[]; rest: readonly Subject[] }> {
  const answers: Written[] = []
  let at = 0
  for (; at < subjects.length && !(at && signal.aborted); at += PIECE) {
    progress(at, subjects.length)
    answers.push(await write(ids(subjects.slice(at, at + PIECE))))
  }
  return { answers, rest: subjects.slice(at) }
}

/** Describes pending rewards: "All 12 pending rewards are", "The one pending reward is". */
function pendingOf(project: Subject): string {
  const pending = Number(recordOf(project, 'project', 'campaign').pending_rewards ?? 0)
  if (pending === 1) return 'The one pending reward is'
  return `All ${pending > 1 ? `${count(pending)} ` : ''}pending rewards are`
}

/** Returns the result of bulk calls: what was done in all, and failed rewards by name. */
function outcome(
  subjects: readonly Subject[],
  { answers, rest }: Awaited<ReturnType<typeof inPieces>>,
  effect: EffectId,
  when: When = 'after',
): Result {
  const nameOf = new Map(subjects.map((subject) => [subject.id, subject.name]))
  const left = answers.flatMap(({ data }) => data.refused)
  const refused = left.map(({ id, reason }) => ({ id, name: nameOf.get(id) ?? `reward ${id}`, reason }))
  const done = answers.reduce((sum, { data }) => sum + data.done.length, 0)
  const facts = { count: done, noun: 'entry', left: refused.length, seconds: outsideSeconds() } as const
  return {
    message: answers.length === 1 ? answers[0]!.message : sentenceOf(effectOf(effect), facts, when),
    ...(refused.length ? { refused } : {}),
    ...(rest.length ? { rest } : {}),
  }
}

const notRewards = (workspace: WorkspaceApi): string | null => {
  const list = workspace.list()
  const kind = (list?.cursor ?? list?.selected[0])?.kind
  return list?.selectMatching && kind === 'entry' ? null : 'there is no list of rewards here'
}

/** Returns the project whose rewards the focused list shows. */
const projectOf = (workspace: WorkspaceApi): number | null => Number(workspace.list()?.exportable?.filter?.project_id) || null

/** Selects the rewards of the focused list that also match `more`. */
async function selectFound(
  workspace: WorkspaceApi,
  more: Partial<Input<'entry.list'>>,
  none: string,
): Promise<Result | undefined> {
  const found = await workspace.list()?.selectMatching?.(more)
  if (found === 0) return { note: none }
}

/** Actions on reward entries (decisions.md 5). */
export const entryCommands = {
  'entry.redeem': command({
    title: 'Reward',
    undoName: (subjects) => `Pay ${listed(subjects)}`,
    on: 'entry',
    many: true,
    keywords: 'pay redeem send',
    names: ['Pay rewards'],
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
      lines: totalLines(subjects),
      body: `Sending starts in ${outsideSeconds()} seconds. You can undo it until then; sent rewards can’t be recalled.`,
      action: subjects.length === 1 ? 'Reward' : `Reward ${count(subjects.length)}`,
    }),
    undo: 'restores',
    async run(context) {
      const { api, subjects, answers, workspace } = context
      const written = await inPieces(context, (ids) =>
        api.write('entry.redeem', { ids, confirm_repeats: answers.confirm_repeats === 'yes', delay_seconds: outsideSeconds() }),
      )
      const jobs = written.answers.flatMap(({ data }) => data.job_id ?? [])
      workspace.followPayout(jobs, subjects)
      return {
        ...outcome(subjects, written, 'entry.redeem', 'soon'),
        undoUntil: Date.now() + outsideSeconds() * 1000,
      }
    },
  }),
  'entry.reject': command({
    title: 'Reject…',
    on: 'entry',
    many: true,
    danger: true,
    keywords: 'refuse decline',
    icon: 'x',
    asks: { reason: ask.text({ label: 'Reason', recalls: true, placeholder: 'Why it isn’t paid' }) },
    confirm: (subjects) => ({
      title: `Reject ${listed(subjects)}${sumIn(subjects)}?`,
      lines: totalLines(subjects),
      body: `A second chance makes ${either(subjects, 'it', 'them')} pending again.`,
      action: 'Reject',
    }),
    undo: 'restores',
    async run(context) {
      const { api, subjects, answers } = context
      const written = await inPieces(context, (ids) => api.write('entry.reject', { ids, reason: answers.reason }))
      return outcome(subjects, written, 'entry.reject')
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
      lines: totalLines(subjects),
      body: either(subjects, 'It goes back to pending.', 'They go back to pending.'),
      action: 'Second chance',
    }),
    async run(context) {
      const written = await inPieces(context, (ids) => context.api.write('entry.secondChance', { ids }))
      return outcome(context.subjects, written, 'entry.secondChance')
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
    // Searches by id, because links must not contain personal data.
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
  'entry.person': command({
    title: 'Show this person',
    detail: 'all rewards of this email, in every project',
    on: 'entry',
    rule: null,
    keywords: 'receiver history email address paid',
    icon: 'user',
    undo: 'needless',
    // Searches by id, because links must not contain personal data.
    run: ({ workspace, subject }) => workspace.open(href('rewardReceivers', {}, { query: { person: subject.id } }), 'tab'),
  }),
  'entry.nextFlagged': command({
    title: 'Next flagged',
    detail: 'the next reward with a flag',
    on: 'entry',
    rule: null,
    keywords: 'repeat duplicate amount fraud',
    icon: 'flag',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.list()?.seek ? null : 'there is no list of rewards here'),
    async run({ workspace, signal }) {
      const found = await workspace.list()?.seek?.((subject) => isFlagged(flagsOf(subject)), signal)
      if (!found) return { note: 'None of these rewards is flagged.' }
    },
  }),
  'entry.goTo': command({
    title: 'Go to reward…',
    detail: 'by email or IP address, of the newest 500',
    on: 'nothing',
    group: 'list',
    keywords: 'find open row person',
    icon: 'gift',
    undo: 'needless',
    disabledReason: notRewards,
    asks: {
      reward: ask.entity({
        kind: 'entry',
        label: 'Reward',
        among: async (api, _subjects, workspace) => {
          const id = projectOf(workspace)
          if (id === null) return []
          const { data } = await api.read('entry.list', { id, status: 'all', counts: false, per_page: 500 })
          return data.map((one) => ({
            value: String(one.id),
            label: one.email,
            detail: [dollars(one.amount_cents), one.status, one.ip].filter(Boolean).join(' · '),
          }))
        },
      }),
    },
    run({ workspace, answers: { reward } }) {
      const id = projectOf(workspace)
      if (id === null) return
      const shown = workspace.list()?.exportable?.filter.status
      // The link names the row, so that it is found on any page and in any status.
      const query = { entry: reward, ...(shown === undefined || shown === 'pending' ? {} : { status: String(shown) }) }
      workspace.open(href('project', { id }, { tab: 'rewardCenter', query }), 'here')
    },
  }),
  'entry.selectFlagged': command({
    title: 'Select all flagged',
    detail: 'of those that match',
    on: 'nothing',
    group: 'list',
    keywords: 'repeat duplicate amount fraud mark',
    icon: 'flag',
    undo: 'needless',
    disabledReason: notRewards,
    run: ({ workspace }) => selectFound(workspace, { flag: 'any' }, 'None of these rewards is flagged.'),
  }),
  'entry.selectCluster': command({
    title: 'Select all with this email or IP',
    on: 'entry',
    rule: null,
    keywords: 'repeat duplicate same fraud cluster mark email',
    icon: 'list',
    undo: 'needless',
    disabledReason: notRewards,
    run: ({ workspace, subject }) => selectFound(workspace, { like: subject.id }, 'No reward here has this email or IP address.'),
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
