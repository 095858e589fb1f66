-- When a line was written, in seconds since 1970 (0: before this was kept). Each viewer is told the time of what he saw.
ALTER TABLE line ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
