import { useEffect, useState } from 'react'
import { stripBidi } from '../../contract/bidi.ts'

/** How long (ms) typing must rest before a count is announced. */
const REST_MS = 500

/**
 * Announces texts of the palette to screen readers.
 * The live region exists from the start, because one that appears together with its text isn't read.
 * `now` is announced at once, `rested` after it stayed for a while; a changed `again` repeats the same text.
 */
export function Announcement({ now = '', rested = '', again = 0 }: { now?: string; rested?: string; again?: number }) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(rested), REST_MS)
    return () => clearTimeout(timer)
  }, [rested])
  const words = [now, settled === rested ? settled : ''].filter(Boolean).join(' ')
  // The first text comes after the region.
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    setAnnounced(words && stripBidi(words) + '\u00a0'.repeat(again % 2))
  }, [words, again])
  return (
    <p role="status" data-told="" className="sr-only">
      {announced}
    </p>
  )
}

/** The description of a field for screen readers, which isn't shown again. */
export function About({ id, children }: { id: string; children: string }) {
  return (
    <span id={id} hidden>
      {stripBidi(children)}
    </span>
  )
}
