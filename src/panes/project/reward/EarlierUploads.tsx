import { count, dollars } from '../../../../contract/format.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { entryStatuses } from './ShownUpload.tsx'

/** Lists a project's uploads, newest first. */
export function EarlierUploads({
  projectId,
  shown,
  onShow,
}: {
  projectId: number
  shown: number | null
  onShow: (id: number) => void
}) {
  const answer = useCall('reward.imports', { project_id: projectId })
  const uploads = answer.data?.data
  if (!uploads) return <AnswerState answer={answer} what="Earlier uploads" rows={3} />
  if (!uploads.length) return null
  const head = 'px-2.5 py-1.5 font-medium'
  return (
    <section aria-label="Earlier uploads">
      <h2 className="font-semibold">Earlier uploads</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div tabIndex={0} className="mt-2 overflow-x-auto rounded-md border border-line">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-b border-line bg-surface text-meta text-muted">
              <th scope="col" className={head}>
                File
              </th>
              <th scope="col" className={head}>
                When
              </th>
              <th scope="col" className={head}>
                Who
              </th>
              <th scope="col" className={`${head} text-right`}>
                Entries
              </th>
              <th scope="col" className={`${head} text-right`}>
                Amount
              </th>
              <th scope="col" className={`${head} text-right`}>
                Errors
              </th>
              <th scope="col" className={head}>
                Now
              </th>
            </tr>
          </thead>
          <tbody>
            {uploads.map((upload) => (
              <tr
                key={upload.id}
                aria-current={upload.id === shown || undefined}
                className="border-b border-line last:border-b-0 hover:bg-hover aria-[current]:bg-accent-wash"
              >
                <td className="max-w-64 truncate px-2.5 py-1">
                  <button
                    type="button"
                    data-view=""
                    className="max-w-full truncate text-left font-medium underline-offset-2 hover:underline"
                    onClick={() => onShow(upload.id)}
                  >
                    <bdi>{upload.file_name}</bdi>
                  </button>
                </td>
                <td className="px-2.5 py-1 whitespace-nowrap text-muted tabular-nums">{moment(upload.created_at)}</td>
                <td className="px-2.5 py-1 whitespace-nowrap text-muted">
                  <bdi>{upload.created_by_name}</bdi>
                </td>
                <td className="px-2.5 py-1 text-right tabular-nums">{count(upload.created)}</td>
                <td className="px-2.5 py-1 text-right tabular-nums">{dollars(upload.amount_cents)}</td>
                <td className={`px-2.5 py-1 text-right tabular-nums ${upload.failed ? 'text-red-ink' : 'text-faint'}`}>
                  {upload.failed ? count(upload.failed) : '–'}
                </td>
                <td className="px-2.5 py-1 whitespace-nowrap text-muted">
                  {upload.status === 'undone'
                    ? 'Undone'
                    : upload.status === 'running'
                      ? 'Running'
                      : upload.status === 'failed'
                        ? 'Stopped'
                        : entryStatuses(upload) || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
