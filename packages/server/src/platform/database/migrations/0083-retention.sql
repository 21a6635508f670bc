-- How long notifications are kept is said together with how long events and evaluations of triggers are.
UPDATE setting SET section = 'retention' WHERE section = 'notifications';
