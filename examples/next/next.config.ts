import type { NextConfig } from 'next';

export default {
  // Both are used as they are installed: they load drivers and files of their own.
  serverExternalPackages: ['carillon', '@carillon/server'],
  // The page of Carillon is at /carillon/ui/, with the slash.
  skipTrailingSlashRedirect: true,
} satisfies NextConfig;
