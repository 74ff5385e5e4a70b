import { useEffect, useMemo } from 'react'
import type { DeletedNoun } from '../../../contract/restored.ts'
import type { CommandId } from '../../commands/table.ts'
import type { ApiError } from '../../data/api.ts'
import { moment } from '../../data/format.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { undoWrite } from '../../runner/undo.ts'
import { useCommand } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { setPaneState } from '../../workspace/paneState.ts'

/** True if an open record was deleted, or the caller lost access to it. */
export const isGone = (error: ApiError | undefined): boolean => error?.status === 404 || error?.status === 403

/**
 * Says that the open record was deleted, by whom and when; the pane stays, so nobody loses their place.
 * Who may restore it can do so here and in the palette; the person who deleted an activity can undo that.
 * `what` is "This project".
 */
export function RecordGone({
  noun,
  id,
  what,
  name,
  home,
  homeTitle,
  beside,
}: {
  noun: DeletedNoun
  id: number
  what: string
  name: string
  home: string
  homeTitle: string
  /** The screen has a subject of its own, or a list. */
  beside?: boolean
}) {
  const { id: pane, go, setSubject } = usePane()
  const canUndo = useMay('undo.deletion')
  const deleted = useCall('undo.deletion', canUndo ? { noun, id } : null, { fresh: true }).data?.data
  const isDeleted = deleted !== undefined
  const subject = useMemo(
    () => (isDeleted ? { kind: noun, id, name, deleted: true as const } : null),
    [isDeleted, noun, id, name],
  )
  useEffect(() => {
    if (!beside) return setSubject(subject)
    setPaneState(pane, { deleted: subject })
    return () => setPaneState(pane, { deleted: null })
  }, [beside, subject, pane, setSubject])
  const restore = `${noun}.restore` as CommandId
  const canRestore = useCommand(restore) !== null
  const undo_id = canRestore ? null : (deleted?.undo_id ?? null)
  return (
    <ErrorState
      title={`${what} is gone`}
      action={
        <>
          {subject && <CommandButton id={restore} subjects={[subject]} variant="primary" />}
          {undo_id !== null && (
            <Button
              data-command="command.undo"
              onClick={() => undoWrite(undo_id, { title: 'Delete', subjects: [{ kind: noun, id, name }] })}
            >
              Undo
            </Button>
          )}
          <Button data-view="" onClick={() => go(home, 'here')}>
            Go to {homeTitle}
          </Button>
        </>
      }
    >
      “<bdi>{name}</bdi>” was deleted
      {deleted ? (
        <>
          {' by '}
          {deleted.own ? 'you' : <bdi>{deleted.by}</bdi>} on {moment(deleted.at, 'full')}.
        </>
      ) : (
        ', or you no longer have access.'
      )}
    </ErrorState>
  )
}
