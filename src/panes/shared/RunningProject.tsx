import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { type Running, UNKNOWN_EFFECTS } from './useRunningProject.ts'

/**
 * The band above Save while the project is in field, and the review that saving opens.
 * Its rules are the pattern "Running project" of screens-projects.
 * Nothing for a project that isn't in field.
 */
export function RunningProject({ running }: { running: Running }) {
  const { line, effects, failed, retry, review } = running
  return (
    <>
      {line && (
        <section
          aria-label="Running project"
          data-running=""
          className="mt-5 rounded-md border border-edge bg-amber-wash px-3 py-2 text-amber-ink"
        >
          <p className="flex items-baseline gap-2 font-medium">
            <Mark shape="dot" />
            {line}
          </p>
          <div aria-live="polite" className="pl-4">
            {failed ? (
              <p className="flex flex-wrap items-center gap-2">
                {UNKNOWN_EFFECTS}
                <Button data-view="" variant="ghost" onClick={retry}>
                  Try again
                </Button>
              </p>
            ) : effects === null ? (
              <p>Working out what changes…</p>
            ) : (
              <EffectList effects={effects} />
            )}
          </div>
        </section>
      )}
      <Dialog
        open={review !== null}
        onClose={() => review?.cancel()}
        size="sm"
        title="Save to a running project?"
        initialFocus="[data-answer=confirm]"
        footer={
          <>
            <Button data-answer="cancel" onClick={() => review?.cancel()}>
              Cancel
            </Button>
            <Button data-answer="confirm" variant="primary" onClick={() => review?.confirm()}>
              Save
            </Button>
          </>
        }
      >
        {line && <p className="text-muted">{line}.</p>}
        {review && <EffectList effects={review.effects.length ? review.effects : ['Takes effect at once.']} />}
      </Dialog>
    </>
  )
}

function EffectList({ effects }: { effects: readonly string[] }) {
  if (!effects.length) return null
  return (
    <ul className="mt-0.5 flex flex-col gap-0.5">
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  )
}
