const paths = {
  overview: 'M2.5 8.5h3l1.5-5 2.5 9 1.5-4h2.5',
  schedules: 'M13.7 8a5.7 5.7 0 1 1-11.4 0a5.7 5.7 0 0 1 11.4 0zM8 4.8V8l2.2 1.4',
  runs: 'M2.5 4h7M4.5 8h8M2.5 12h5',
  calendar:
    'M4.3 3.2h7.4a2 2 0 0 1 2 2v6.3a2 2 0 0 1-2 2H4.3a2 2 0 0 1-2-2V5.2a2 2 0 0 1 2-2zM2.3 6.6h11.4M5.4 1.8v2.6M10.6 1.8v2.6',
  hosts:
    'M5.4 8a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 0 1 3.6 0zM14.2 3.8a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 0 1 3.6 0zM14.2 12.2a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 0 1 3.6 0zM5.2 7.2l5.6-2.6M5.2 8.8l5.6 2.6',
  clock: 'M12.9 9.8A5.4 5.4 0 1 1 11.6 4M12.6 1.8l-.6 2.8-2.8-.4M8 5.2V8l1.8 1.2',
  audit: 'M4 2.3h6l2.6 2.6v8.8H4zM6.2 7.4h4M6.2 10h4',
  play: 'M5 3.2v9.6l7.4-4.8z',
  lab: 'M6 2.4h4M6.8 2.4v4L3.2 13h9.6L9.2 6.4v-4',
  settings:
    'M10.1 8a2.1 2.1 0 1 1-4.2 0a2.1 2.1 0 0 1 4.2 0zM8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M3.6 12.4l1.1-1.1M11.3 4.7l1.1-1.1',
  search: 'M11.3 7a4.3 4.3 0 1 1-8.6 0a4.3 4.3 0 0 1 8.6 0zM10.3 10.3l3.2 3.2',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3.4 8h9.2',
  pause: 'M5.4 3.4v9.2M10.6 3.4v9.2',
  more: 'M3.4 8h.01M8 8h.01M12.6 8h.01',
  right: 'M6 3.8L10.2 8 6 12.2',
  left: 'M10 3.8L5.8 8l4.2 4.2',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  sun: 'M10.6 8a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 0 1 5.2 0zM8 2v1.2M8 12.8V14M2 8h1.2M12.8 8H14M3.8 3.8l.8.8M11.4 11.4l.8.8M3.8 12.2l.8-.8M11.4 4.6l.8-.8',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M7 5.4h4.8a1.6 1.6 0 0 1 1.6 1.6v4.8a1.6 1.6 0 0 1-1.6 1.6H7a1.6 1.6 0 0 1-1.6-1.6V7A1.6 1.6 0 0 1 7 5.4zM3.2 10.4h-.6V2.6h7.8v.6',
  done: 'M3.4 8.4l3 3 6.2-6.8',
  warn: 'M8 2.4l6.2 11H1.8zM8 6.6v3M8 11.5v.1',
  person:
    'M10.6 5.2a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 0 1 5.2 0zM2.8 13.6c.5-2.8 2.6-4.2 5.2-4.2s4.7 1.4 5.2 4.2',
  edit: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  node: 'M3.6 3h8.8a1.2 1.2 0 0 1 1.2 1.2V6a1.2 1.2 0 0 1-1.2 1.2H3.6A1.2 1.2 0 0 1 2.4 6V4.2A1.2 1.2 0 0 1 3.6 3zM3.6 8.8h8.8a1.2 1.2 0 0 1 1.2 1.2v1.8a1.2 1.2 0 0 1-1.2 1.2H3.6a1.2 1.2 0 0 1-1.2-1.2V10a1.2 1.2 0 0 1 1.2-1.2zM4.8 5.1h.1M4.8 10.9h.1',
  bolt: 'M8.8 1.8L3.6 9h3.6l-.6 5.2L12.4 7H8.6z',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2.4v2.8h-2.8',
  back: 'M3 8h10M7 4L3 8l4 4',
  tag: 'M2.4 2.4h5.2l6 6-5.2 5.2-6-6zM5.2 5.2h.01',
  trash: 'M3 4.4h10M6.4 4.2V2.6h3.2v1.6M4.4 4.4l.6 9h6l.6-9',
  cloud: 'M4.6 12h6.6a2.8 2.8 0 0 0 .4-5.6 3.8 3.8 0 0 0-7.3-.4A3 3 0 0 0 4.6 12zM2.4 2.4l11.2 11.2',
  lock: 'M4.8 7h6.4a1.4 1.4 0 0 1 1.4 1.4v3.6a1.4 1.4 0 0 1-1.4 1.4H4.8a1.4 1.4 0 0 1-1.4-1.4V8.4A1.4 1.4 0 0 1 4.8 7zM5.4 7V5a2.6 2.6 0 0 1 5.2 0v2',
  asleep: 'M3 4h4L3 9h4M9.4 7.4h3.6l-3.6 4.6h3.6',
  link: 'M6.6 9.4l2.8-2.8M7.4 4.8l1.4-1.4a2.7 2.7 0 0 1 3.8 3.8l-1.4 1.4M8.6 11.2l-1.4 1.4a2.7 2.7 0 0 1-3.8-3.8l1.4-1.4',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg className={`i ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} strokeWidth={name === 'more' ? 2 : undefined} />
    </svg>
  );
}

/** The mark of the house: three bells on a beam. */
export function Bells() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
      <path d="M2 2.2h16v1.6H2zM4.4 3.4h1.2v4.2H4.4zM13.6 3.4h1.3v2.4h-1.3zM9.4 3.4h1.2v7.2H9.4z" />
      <path d="M3 12.2c.9-.7 1-2 1-4.7h2c0 2.7.1 4 1 4.7zM12.5 9.2c.8-.6.9-1.5.9-3.6h1.7c0 2.1.1 3 .9 3.6zM7.6 17c1.2-1 1.3-3 1.3-6.5h2.2c0 3.5.1 5.5 1.3 6.5z" />
    </svg>
  );
}

export function iconPath(name: IconName): string {
  return paths[name];
}
