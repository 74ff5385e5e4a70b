import { atom } from 'jotai'
import type { Output } from '../../contract/calls.ts'

/** What needs the signed-in user; null until known. Drives the sidebar, the page's title and the palette. */
export const deskAtom = atom<Output<'desk.count'>['data'] | null>(null)
