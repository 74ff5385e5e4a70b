import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { type Running, UNKNOWN_EFFECTS } from './useRunningProject.ts'

/** Debounce before the effects are computed again, in ms. */
const AFTER_MS = 300

/**
 * Shown in forms of a project in field: since when, completes so far, and one line per effect of saving.
 * `change` is what saving would change, null if nothing; other projects show nothing.
 */
export function RunningProject<Change>({ running, change }: { running: Running<Change>; change: Change | null }) {
  const key = change === null ? null : JSON.stringify(change)
  const [found, setFound] = useState<{ key: string; effects: readonly string[] | null } | null>(null)
  const [round, setRound] = useState(0)
  const shown = running.line !== null
  const effectsNow = useEffectEvent(() => (change === null ? null : running.effects(change)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` retries
  useEffect(() => {
    if (!shown || key === null) return
    let current = true
    const timer = setTimeout(() => {
      const show = (effects: readonly string[] | null) => current && setFound({ key, effects })
      effectsNow()?.then(show, () => show(null))
    }, AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [shown, key, round])
  if (!shown) return null
  const known = found?.key === key ? found : null
  return (
    <section aria-label="Running project" className="mt-5 rounded-md border border-edge bg-amber-wash px-3 py-2 text-amber-ink">
      <p className="flex items-baseline gap-2 font-medium">
        <Mark shape="dot" />
        {running.line}
      </p>
      <div aria-live="polite" aria-atomic="true" className="pl-4">
        {key === null ? null : !known ? (
          <p>Checking what this changes…</p>
        ) : known.effects ? (
          <ul className="mt-0.5 flex flex-col gap-0.5">
            {known.effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            {UNKNOWN_EFFECTS}
            <Button
              data-view=""
              variant="ghost"
              onClick={() => {
                setFound(null)
                setRound((now) => now + 1)
              }}
            >
              Try again
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}
