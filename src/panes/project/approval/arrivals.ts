import { useEffect, useRef } from 'react'
import { count, dollars } from '../../../../contract/format.ts'
import type { Invitation, Quote } from '../../../commands/profferSubject.ts'
import { currentMe } from '../../../data/session.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'

/** Formats a Yes as "300 completes at $6.00"; empty if either is missing. */
function offered({ answer }: Invitation): string {
  const { feasible_completes, cpi_cents } = answer!
  if (feasible_completes === null) return ''
  return `: ${count(feasible_completes)} completes${cpi_cents === null ? '' : ` at ${dollars(cpi_cents)}`}`
}

function invitationNews(was: Invitation | undefined, is: Invitation): string | null {
  if (!was) return null
  const { name, answer } = is
  if (answer && answer.entered_by === null) {
    if (!was.answer)
      return answer.fill_requirements === 'Yes' ? `${name} answered yes${offered(is)}` : `${name} declined: ${answer.reason}`
    if (was.answer.lock_version !== answer.lock_version)
      return answer.fill_requirements === 'Yes'
        ? `${name} corrected the answer${offered(is)}`
        : `${name} withdrew the answer: ${answer.reason}`
  }
  return is.opened_at && !was.opened_at && !answer ? `${name} opened the request` : null
}

/** Describes what others changed between two readings of a quote, one sentence each. */
export function newsBetween(was: Quote, is: Quote, me: number): string[] {
  const before = new Map(was.rounds.flatMap((round) => round.invitations.map((one) => [`${round.round} ${one.partner_id}`, one])))
  const partners = is.rounds.flatMap((round) =>
    round.invitations.flatMap((one) => invitationNews(before.get(`${round.round} ${one.partner_id}`), one) ?? []),
  )
  const quotes = new Map(was.rounds.flatMap((round) => round.quotes.map((quote) => [quote.id, quote])))
  const client = is.rounds.flatMap((round) =>
    round.quotes.flatMap((quote) => {
      const then = quotes.get(quote.id)
      if (!then) return []
      if (quote.decided_at && !then.decided_at && quote.decided_by?.id !== me)
        return [`${quote.decided_by?.name ?? is.client_name} ${quote.state === 'approved' ? 'approved' : 'rejected'} the quote`]
      if (quote.opened_at && !then.opened_at && quote.opened_by?.id !== me)
        return [`${quote.opened_by?.name ?? is.client_name} opened the quote`]
      return []
    }),
  )
  return [...partners, ...client]
}

/** Announces changes politely while the quote is on screen. */
export function useArrivals(quote: Quote | undefined, visible: boolean): void {
  const before = useRef<Quote | undefined>(undefined)
  useEffect(() => {
    const was = before.current
    before.current = quote
    if (!was || !quote || was === quote || was.id !== quote.id || !visible) return
    for (const sentence of newsBetween(was, quote, currentMe().id)) workspace.notice(sentence)
  }, [quote, visible])
}
