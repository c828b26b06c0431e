"""A lake as a folder that anybody can read, and that a hub takes as it is: `just publish LAKE FOLDER`."""
