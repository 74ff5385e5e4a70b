import { SettingsError } from './settings.ts'

/** Why a port can't be listened on, as a sentence with the names of its settings; null for another error. */
export function portTrouble(
  error: unknown,
  host: string,
  port: number,
  portName: string,
  hostName: string,
): SettingsError | null {
  const { code, syscall, hostname } = (error ?? {}) as NodeJS.ErrnoException & { hostname?: string }
  if (code === 'EADDRINUSE') return new SettingsError(`Port ${port} is taken by another program: set ${portName} to another one.`)
  if (code === 'EACCES' && syscall === 'listen')
    return new SettingsError(`This account may not listen on port ${port}: set ${portName} to one from 1024 on, behind a proxy.`)
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname === host))
    return new SettingsError(`${host} is no address of this machine: set ${hostName} to one, or to 0.0.0.0 for all.`)
  return null
}
