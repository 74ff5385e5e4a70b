import { describe, expect, test } from 'vitest'
import type { Invitation, Quote } from '../../src/commands/profferSubject.ts'
import { sortedBy } from '../../src/list/ShortList.tsx'
import { newsBetween } from '../../src/panes/project/approval/arrivals.ts'
import { bestOf } from '../../src/panes/project/approval/quoteSteps.ts'

const LONG_AGO = '2026-01-05T09:00:00.000Z'
type Answer = NonNullable<Invitation['answer']>
const answered = (given: Partial<Answer> = {}): Answer =>
  ({
    id: 1,
    fill_requirements: 'Yes',
    reason: '',
    feasible_completes: 100,
    cpi_cents: 500,
    total_cents: 50_000,
    ended: false,
    entered_by: null,
    lock_version: 0,
    ...given,
  }) as Answer
const invited = (partner_id: number, given: Partial<Invitation> = {}): Invitation =>
  ({ partner_id, name: `Panel ${partner_id}`, state: 'yes', opened_at: null, answer: null, ...given }) as Invitation
const quoted = (invitations: readonly Invitation[], quotes: object[] = []): Quote =>
  ({ id: 1, client_name: 'Acorn', rounds: [{ round: 1, invitations, quotes }] }) as unknown as Quote

describe('the best of a column', () => {
  test('is the cheapest, the fastest, the largest, and all of a tie', () => {
    const rows = [
      invited(1, { answer: answered({ cpi_cents: 400, field_days: 9 }) }),
      invited(2, { answer: answered({ cpi_cents: 400, field_days: 4, feasible_completes: 90 }) }),
      invited(3, { answer: answered({ cpi_cents: 900, field_days: 4 }) }),
    ]
    const best = bestOf(rows, 100)
    expect([...best.cpi]).toEqual([1, 2])
    expect([...best.days]).toEqual([2, 3])
    expect([...best.completes]).toEqual([1, 3])
  })

  test('is nobody if all tie or only one offers', () => {
    expect(bestOf([invited(1, { answer: answered() }), invited(2, { answer: answered() })], 100).cpi.size).toBe(0)
    expect(bestOf([invited(1, { answer: answered() }), invited(2, { state: 'no' })], 100).cpi.size).toBe(0)
  })

  test('ignores what can’t be taken, and totals that don’t fill the order', () => {
    const rows = [
      invited(1, { answer: answered({ cpi_cents: 100, ended: true }) }),
      invited(2, { answer: answered({ cpi_cents: 300, feasible_completes: 50, total_cents: 15_000 }) }),
      invited(3, { answer: answered({ cpi_cents: 400, feasible_completes: 100, total_cents: 40_000 }) }),
      invited(4, { answer: answered({ cpi_cents: 500, feasible_completes: 100, total_cents: 50_000 }) }),
    ]
    expect([...bestOf(rows, 100).cpi]).toEqual([2])
    expect([...bestOf(rows, 100).total]).toEqual([3])
  })
})

describe('news about a quote', () => {
  const asked = invited(1, { state: 'mailed' })
  const news = (was: Quote, is: Quote) => newsBetween(was, is, 7)

  test('includes an opened request, an answer, a correction and a decline', () => {
    const opened = invited(1, { opened_at: LONG_AGO })
    expect(news(quoted([asked]), quoted([opened]))).toEqual(['Panel 1 opened the request'])
    const yes = invited(1, { opened_at: LONG_AGO, answer: answered() })
    expect(news(quoted([opened]), quoted([yes]))).toEqual(['Panel 1 answered yes: 100 completes at $5.00'])
    const corrected = invited(1, { opened_at: LONG_AGO, answer: answered({ cpi_cents: 450, lock_version: 1 }) })
    expect(news(quoted([yes]), quoted([corrected]))).toEqual(['Panel 1 corrected the answer: 100 completes at $4.50'])
    const no = invited(1, {
      opened_at: LONG_AGO,
      answer: answered({ fill_requirements: 'No', reason: 'Sold out', lock_version: 2 }),
    })
    expect(news(quoted([opened]), quoted([no]))).toEqual(['Panel 1 declined: Sold out'])
    expect(news(quoted([yes]), quoted([no]))).toEqual(['Panel 1 withdrew the answer: Sold out'])
  })

  test('includes the client’s view and decision, and nothing the user did', () => {
    const sent = { id: 9, opened_at: null, decided_at: null, opened_by: null, decided_by: null, state: 'sent' }
    const by = { id: 3, name: 'Ana Diaz' }
    const opened = { ...sent, opened_at: LONG_AGO, opened_by: by }
    expect(news(quoted([], [sent]), quoted([], [opened]))).toEqual(['Ana Diaz opened the quote'])
    const approved = { ...opened, decided_at: LONG_AGO, decided_by: by, state: 'approved' }
    expect(news(quoted([], [opened]), quoted([], [approved]))).toEqual(['Ana Diaz approved the quote'])
    expect(news(quoted([], [opened]), quoted([], [{ ...approved, decided_by: { id: 7, name: 'Me' } }]))).toEqual([])
    const entered = invited(1, { answer: answered({ entered_by: 'Me' }) })
    expect(news(quoted([asked]), quoted([entered]))).toEqual([])
    expect(news(quoted([]), quoted([asked])), 'an invitation is one’s own').toEqual([])
  })
})

test('rows without a value come last, whichever way a list is sorted', () => {
  const rows = [{ cents: 3 }, { cents: null }, { cents: 1 }]
  const columns = [{ id: 'cents', header: 'Cents', by: (row: { cents: number | null }) => row.cents, render: () => null }]
  const sorted = (direction: 'asc' | 'desc') => sortedBy(rows, columns, { column: 'cents', direction }).map(({ cents }) => cents)
  expect(sorted('asc')).toEqual([1, 3, null])
  expect(sorted('desc')).toEqual([3, 1, null])
  expect(sortedBy(rows, columns, { column: 'gone', direction: 'asc' })).toBe(rows)
})
