#!/usr/bin/env node
// Runs the command line on Node 24, which needs no build for TypeScript, whatever Node is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const source = new URL('./main.ts', import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (!existsSync(source)) {
  // The package, as JavaScript.
  if (major < 22 || (major === 22 && minor < 12)) {
    console.error(`fieldwork needs Node 22.12 or later, and this is ${process.versions.node}.`)
    process.exit(1)
  }
  await import(new URL('./dist/cli/main.js', import.meta.url).href)
} else if (major >= 24) {
  await import(source.href)
} else {
  const child = spawn(ownNode(), [source.pathname, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both processes; the program itself decides how to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
  child.once('error', (error) => {
    console.error(`Can't start this installation's Node 24: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

/** The Node 24 that `npm ci` installs for some platforms (optionalDependencies of package.json). */
function ownNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`)), 'bin/node')
  } catch {
    console.error('Fieldwork needs Node 24 or later, and npm installed none for this platform. Install one.')
    process.exit(1)
  }
}
