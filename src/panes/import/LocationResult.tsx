import { useMemo } from 'react'
import { IMPORT_ROW_KINDS, type ImportRowKind } from '../../../contract/importWords.ts'
import type { Subject } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { FileResult, type LineKind, useFileLines } from '../shared/FileResult.tsx'
import type { LocationFile } from './locationFile.ts'

const PointMap = loadable(() => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap), <Skeleton rows={6} />)
const KINDS: Readonly<Record<ImportRowKind, LineKind>> = {
  error: { named: 'errors', title: 'Errors', told: 'What is wrong', none: 'Every line could be read.' },
  repeat: { named: 'repeats', title: 'Repeats', told: 'Same as', none: 'No address repeats.' },
  approximate: { named: 'approximate', title: 'Approximate', told: 'Placed by', none: 'Every position is exact.' },
}
/** Lines a page. */
const PAGE = 50

/** Step 3: what became of the file, on the map and line by line. */
export function LocationResult({ file, subject }: { file: LocationFile; subject: Subject }) {
  const kinds = IMPORT_ROW_KINDS.map((kind) => ({ ...KINDS[kind], count: file.counts[kind] ?? 0 }))
  const usual = IMPORT_ROW_KINDS.find((kind) => file.counts[kind]) ?? 'error'
  const at = useFileLines(kinds, KINDS[usual].named, 'tab')
  const kind = IMPORT_ROW_KINDS.find((one) => KINDS[one].named === at.kind)!
  const answer = useCall('import.rows', { id: file.id, kind, page: at.page, per_page: PAGE })
  const isThere = file.status === 'done' || file.status === 'failed'
  return (
    <section aria-label="Result" className="px-4 pt-4 pb-10">
      <FileResult
        note={file.status === 'undone' ? 'This file was undone. Its locations left the group.' : null}
        trouble={file.status === 'failed' ? file.error || 'It stopped half way.' : null}
        figures={[
          ['Rows', file.rows],
          ['New', file.created],
          ['Known already', file.reused],
          ['Repeats', file.repeated],
          ['Errors', file.failed, file.failed > 0 ? 'bad' : undefined],
          ['Approximate', file.counts.approximate ?? 0, file.counts.approximate ? 'near' : undefined],
        ]}
        actions={
          <>
            {file.failed > 0 && <CommandButton id="import.errors" subjects={[subject]} />}
            {file.status !== 'done' && <CommandButton id="import.run" subjects={[subject]} variant="primary" />}
            {isThere && <CommandButton id="import.undo" subjects={[subject]} />}
          </>
        }
        kinds={kinds}
        at={at}
        answer={answer}
        pageSize={PAGE}
        showValue={({ place_id, value }) =>
          place_id && file.group_id ? (
            <PaneLink
              to={href('group', { id: file.group_id }, { tab: 'locations', query: { search: value } })}
              className="rounded-sm hover:text-accent-ink hover:underline"
            >
              <bdi>{value}</bdi>
            </PaneLink>
          ) : null
        }
      >
        {isThere && file.group_id !== null && <Found group_id={file.group_id} name={file.name} />}
      </FileResult>
    </section>
  )
}

/** The group's points; the lists below name those that are only near. */
function Found({ group_id, name }: { group_id: number; name: string }) {
  const answer = useCall('location.points', { group_id })
  const found = answer.data
  const points = useMemo(
    () => [
      ...(found?.data.map(([, lat, lng]) => ({ lat, lng })) ?? []),
      ...(found?.squares.map((square) => ({ lat: square.latitude, lng: square.longitude, weight: square.count })) ?? []),
    ],
    [found],
  )
  if (answer.error) return null
  return (
    <div className="mt-4">
      <PointMap
        label={`Locations of “${name}”`}
        points={points}
        loading={answer.loading}
        height={300}
        empty="No location has a position."
      />
    </div>
  )
}
