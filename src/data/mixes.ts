import { atom } from 'jotai'
import type { MixKind, Share } from '../../contract/mix.ts'
import { store } from './jotaiStore.ts'
import { sessionKeyAtom } from './me.ts'

/** The mix chosen for a project: a computed one, or custom shares by answer. */
export type ChosenMix = { kind: MixKind } | { kind: 'own'; shares: readonly Share[] }

/** The mixes chosen in this tab, by project: the Approval pane writes them, `project.takeOffers` starts from them. */
export const mixesAtom = atom<Readonly<Record<number, ChosenMix>>>({})

/** The mix chosen for a project, or undefined. */
export const chosenMix = (project_id: number): ChosenMix | undefined => store.get(mixesAtom)[project_id]

/** Chooses a project's mix; null forgets it. */
export function chooseMix(project_id: number, mix: ChosenMix | null): void {
  store.set(mixesAtom, ({ [project_id]: _, ...others }) => (mix ? { ...others, [project_id]: mix } : others))
}

// The next user in this tab starts without any.
store.sub(sessionKeyAtom, () => store.set(mixesAtom, {}))
