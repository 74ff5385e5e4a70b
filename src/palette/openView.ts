import { recordOf } from '../commands/subject.ts'
import { pathOfView } from '../commands/views/view.ts'
import { may } from '../data/permissions.ts'
import type { Where } from '../routing/layout.ts'
import { subjectOf } from '../runner/subjectOf.ts'
import { workspace } from '../workspace/currentWorkspace.ts'

/** Opens a saved view from the palette: in its own list, or in the current record's list if it belongs to one. */
export async function openView(id: number, name: string, where: Where): Promise<void> {
  try {
    const view = await subjectOf('view', id, name)
    const path = pathOfView(view, workspace)
    const here = workspace.list()?.views
    const { screen, query = '' } = recordOf(view, 'view')
    if (where === 'here' && here && here.screen === screen) here.show(query, id)
    else if (path) workspace.open(path, where)
    else
      workspace.notice(
        `“${name}” is a view of ${may('client.list') ? 'a record’s own list' : 'a project’s list'}: open the record first.`,
      )
  } catch (error) {
    workspace.notice(error instanceof Error ? error.message : 'The view couldn’t be opened.', 'bad')
  }
}
