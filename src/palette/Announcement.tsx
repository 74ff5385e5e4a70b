import { useEffect, useState } from 'react'
import { stripBidi } from '../data/bidi.ts'

/** Typing rests this long before a count is read out, in ms. */
const REST_MS = 500

/**
 * What a screen reader is told in the palette.
 * The region is there from the start: one that arrives together with its text isn't read.
 * `now` is said at once, `rested` once it has stood for a while; `again` says the same words once more.
 */
export function Announcement({ now = '', rested = '', again = 0 }: { now?: string; rested?: string; again?: number }) {
  const [stood, setStood] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setStood(rested), REST_MS)
    return () => clearTimeout(timer)
  }, [rested])
  const words = [now, stood === rested ? stood : ''].filter(Boolean).join(' ')
  // The first words come after the region.
  const [said, setSaid] = useState('')
  useEffect(() => {
    setSaid(words && stripBidi(words) + '\u00a0'.repeat(again % 2))
  }, [words, again])
  return (
    <p role="status" data-told="" className="sr-only">
      {said}
    </p>
  )
}

/** What a field's words are about, as its description: read with it, and not shown a second time. */
export function About({ id, children }: { id: string; children: string }) {
  return (
    <span id={id} hidden>
      {stripBidi(children)}
    </span>
  )
}
