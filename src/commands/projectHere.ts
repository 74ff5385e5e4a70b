import { idAbove } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** Returns the project at hand: the active pane's own or that of its record, or the cursor row's. */
export function projectHere(workspace: WorkspaceApi | undefined): number | null {
  const { focused, cursor } = workspace?.subjects() ?? {}
  for (const here of [focused, cursor]) {
    if (here?.kind === 'project' || here?.kind === 'campaign') return here.id
    const id = here && idAbove(here, 'project')
    if (id) return id
  }
  return null
}
