import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { deskAtom } from '../data/desk.ts'
import { serverTime } from '../data/serverClock.ts'
import { refreshNouns, useCall } from '../data/useCall.ts'

/** Results arrive many times a second; the count updates at most this often, in ms. */
const AT_MOST_MS = 5000
/** The longest that a timer waits, in ms. */
const LATEST_MS = 86_400_000
const PACED = { every: AT_MOST_MS, held: false }

/** Keeps the number of lines that need the user, and refreshes the desk when a snooze or a day ends. */
export function DeskCount() {
  const answer = useCall('desk.count', {}, { paced: PACED }).data?.data
  const set = useSetAtom(deskAtom)
  useEffect(() => {
    if (answer) set(answer)
  }, [answer, set])
  const at = answer?.changes_at
  useEffect(() => {
    if (!at) return
    // A little later, so that the server's clock has passed it.
    const wait = Math.min(LATEST_MS, Math.max(0, Date.parse(at) - serverTime().getTime()) + 1000)
    const timer = setTimeout(() => refreshNouns(new Set(['desk'])), wait)
    return () => clearTimeout(timer)
  }, [at])
  return null
}
