/** The theme that the person chose, if any. */
export type Theme = 'light' | 'dark';

const name = 'carillon.theme';

export function chosenTheme(): Theme | undefined {
  try {
    const theme = localStorage.getItem(name);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the choice. Returns false where the browser stores nothing. */
export function keepTheme(theme: Theme): boolean {
  try {
    localStorage.setItem(name, theme);
    return true;
  } catch {
    return false;
  }
}

/** Without a choice the theme is the system's. */
export function applyChoice(): void {
  const theme = chosenTheme();
  if (theme === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
