import { useEffect, useRef, useState } from 'react'
import { count } from '../../../../contract/format.ts'
import type { Quota, QuotaCell } from '../../../../contract/quota.ts'
import { cellOf } from '../../../../contract/quotaWhy.ts'
import { foreseenWords } from '../../../commands/quotas/foreseen.ts'
import { newTargets, sumWords } from '../../../commands/quotas/newTargets.ts'
import { ApiError } from '../../../data/api.ts'
import { api } from '../../../data/apiClient.ts'
import { saveCell } from '../../../list/gridColumns.tsx'
import { toast } from '../../../runner/toast.tsx'
import { InlineEdit } from '../../../ui/grid/GridRow.tsx'

/** How long (ms) typing must rest before its effect is asked for. */
const REST_MS = 250

const inputOf = (plan: Quota, cell: QuotaCell, typed: string) => ({
  id: plan.id,
  cells: newTargets(plan, cell.id, Number(typed)),
  lock_version: plan.lock_version,
})
const faultOf = (typed: string): string | null => (/^\d{1,8}$/.test(typed.trim()) ? null : 'Enter a whole number, such as 58')

/** Edits a cell's target in place; what it adds up to and what it would have done are said while typing. */
export function TargetEdit({
  plan,
  now,
  cell,
  onDone,
}: {
  /** As it was when the edit began, and as it is now. */
  plan: Quota
  now: Quota
  cell: QuotaCell
  onDone(step?: 1 | -1): void
}) {
  const valueIn = (of: Quota) => String(cellOf(of, cell.id)?.target ?? '')
  return (
    <InlineEdit
      initial={valueIn(plan)}
      now={valueIn(now)}
      label={`Target of ${cell.name || 'the total'}`}
      keeps={(text) => text.replace(/\D/g, '').slice(0, 8)}
      hint={(typed) => <Effect plan={now} cell={cell} typed={typed} />}
      className="[&_input]:text-right [&_input]:tabular-nums"
      save={(typed) => {
        const fault = faultOf(typed)
        if (fault) throw new Error(fault)
        return saveCell({ value: valueIn, save: (of, value) => api.write('quota.cells', inputOf(of, cell, value)) }, now, typed)
      }}
      onDone={(_saved, step) => onDone(step)}
      onLost={(typed) => void toast(`The target of ${cell.name} wasn’t saved: “${typed}”`)}
    />
  )
}

/** What a typed target adds up to, and what it would have done in the last seven days. */
function Effect({ plan, cell, typed }: { plan: Quota; cell: QuotaCell; typed: string }) {
  const [answer, setAnswer] = useState<{ typed: string; words: string } | null>(null)
  const latest = useRef(plan)
  latest.current = plan
  const wrong = faultOf(typed) !== null || Number(typed) === cell.target
  useEffect(() => {
    if (wrong) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { foreseen } = await api.dryRun('quota.cells', inputOf(latest.current, cell, typed), stop.signal)
        setAnswer({ typed, words: foreseenWords(foreseen) })
      } catch (error) {
        if (!stop.signal.aborted) setAnswer({ typed, words: error instanceof ApiError ? error.message : String(error) })
      }
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed, cell, wrong])
  if (wrong) return null
  const sums = sumWords(plan, cell.id, Number(typed))
  return (
    <>
      {sums.map((sentence) => (
        <span key={sentence} className="block text-amber-ink">
          {sentence}
        </span>
      ))}
      <span className="block">
        {count(cell.target)} → {count(Number(typed))}. {answer?.typed === typed ? answer.words : '…'}
      </span>
    </>
  )
}
