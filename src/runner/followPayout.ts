import type { Output } from '../../contract/calls.ts'
import { count } from '../../contract/format.ts'
import { withStop } from '../../contract/textEnds.ts'
import { effectOf, sentenceOf } from '../../contract/writeEffects.ts'
import { idAbove, type Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'
import { whenEnded } from './followJob.ts'
import { start } from './lazyRunner.ts'
import { present, resultOpening } from './present.ts'
import { toast } from './toast.tsx'

/** How many ids fit into a URL. */
const IDS = 500
type SelectionAnswer = Output<'list.selection'>

/** Rewards that a payout didn't pay: pending again or rejected, with the provider's reason. */
interface Unpaid {
  subject: Subject
  reason: string
}

/** Once payout jobs have ended, reports which of their rewards weren't paid, by reason, or how many were paid. */
export function followPayout(jobs: readonly number[], rewards: readonly Subject[]): void {
  whenEnded(jobs, (done) => {
    const left = done.reduce((sum, { result }) => sum + Number(result.returned ?? 0) + Number(result.rejected ?? 0), 0)
    const sent = done.reduce((sum, { result }) => sum + Number(result.sent ?? 0), 0)
    if (left) void reportUnpaid(rewards)
    else if (sent) void toast(sentenceOf(effectOf('entry.redeem'), { count: sent, noun: 'entry' }, 'after'), { tone: 'good' })
  })
}

async function reportUnpaid(rewards: readonly Subject[]): Promise<void> {
  const unpaid = await unpaidOf(rewards)
  if (!unpaid.length) return
  const rows = unpaid.map(({ subject, reason }) => ({ id: subject.id, name: subject.name, reason }))
  const subjects = unpaid.map(({ subject }) => subject)
  const title = `${count(rows.length)} of ${count(rewards.length)} ${rewards.length === 1 ? 'reward' : 'rewards'} not paid`
  const again = (some: readonly Subject[]) => void start('entry.redeem', { subjects: some, via: 'button' })
  // Nobody waits for a result that comes later, so only a toast opens it.
  present(() => false, resultOpening({ kind: 'refused', title, rows, subjects, again }), withStop(title), {
    tone: 'bad',
    lasts: Number.POSITIVE_INFINITY,
  })
}

/** Reads the rewards again, by project; those with a reason that aren't sent weren't paid. */
async function unpaidOf(rewards: readonly Subject[]): Promise<Unpaid[]> {
  const unpaid: Unpaid[] = []
  for (const [project_id, some] of Map.groupBy(rewards, (reward) => Number(idAbove(reward, 'project'))))
    for (let at = 0; at < some.length; at += IDS) {
      const named = some.slice(at, at + IDS)
      const answer = await api.read('list.selection', {
        list: 'entries',
        filter: JSON.stringify({ project_id, status: 'all' }),
        ids: named.map(({ id }) => id).join(','),
      })
      unpaid.push(...unpaidIn(answer))
    }
  return unpaid
}

function unpaidIn({ fields, rules, rows }: SelectionAnswer): Unpaid[] {
  return rows.flatMap(([id, name, rule, ...values]) => {
    const record = Object.fromEntries([['id', id], ...fields.map((field, at) => [field, values[at]])])
    const reason = String(record.reason ?? '')
    if (!reason || record.status === 'sent' || record.status === 'processing') return []
    const [allowed_actions, refused_actions] = rules[rule]!
    return [{ subject: { kind: 'entry', id, name, allowed_actions, refused_actions, record }, reason }]
  })
}
