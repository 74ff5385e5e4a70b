import type { ApiError } from '../../data/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'

/** True when a displayed record was removed or the caller lost access to it. */
export const isGone = (error: ApiError | undefined): boolean => error?.status === 404 || error?.status === 403

/** Says that the open record is gone; the pane stays, so nobody loses their place. `what` is "This project". */
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
