import type { ProjectRecord } from './storedProject.ts'

/** True for an active or paused project, whose respondents may arrive now or again. */
export const inField = ({ status }: Pick<ProjectRecord, 'status'>): boolean => status === 'active' || status === 'paused'
