import type { ApiError } from '../../data/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'

/** True when a record that shows was taken away meanwhile: removed, or out of this person's sight. */
export const isGone = (error: ApiError | undefined): boolean => error?.status === 404 || error?.status === 403

/** Says in an open pane that its record is gone; the pane stays, so that nobody loses their place. `what` is "This project". */
export function RecordGone({ what, name, home, homeTitle }: { what: string; name: string; home: string; homeTitle: string }) {
  const { go } = usePane()
  return (
    <ErrorState
      title={`${what} is gone`}
      action={
        <Button data-view="" onClick={() => go(home, 'here')}>
          Go to {homeTitle}
        </Button>
      }
    >
      “{name}” was deleted, or you no longer have access.
    </ErrorState>
  )
}
